set terminal svg noenhanced size 624,400 font 'sans-serif,13' background rgb 'white'
set encoding utf8
set datafile missing 'NaN'
set style fill solid 0.9 border lt -1
set border 3 lw 1
set tics nomirror out
set format y '%.1s%c'
set grid ytics lw 0.5 lc rgb '#d0d0d0'
set key top left
$panel0 << EOD
0 100 90 120 110
1 50 NaN NaN 40
EOD
$panel1 << EOD
0 1.5 NaN NaN NaN
1 2.25 NaN NaN NaN
EOD
set xrange [-0.6:1.6]
set xtics ('old' 0, 'new' 1)
set boxwidth 0.36
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
set lmargin 9
set rmargin 1
set bmargin 5
set multiplot layout 1,2 title 'Made by hand: don''t `run` this'."\n".'by-hand, model power9, seed 7, hvsim 0.0.0; predicted, a.b=c'
set title 'exits'
set key at screen 0.5, screen 0.01 center bottom horizontal
plot $panel0 using ($1-0.2):2 with boxes lc rgb '#1f3b73' title 'predicted', \
  $panel0 using ($1+0.2):5 with boxes fs pattern 5 lc rgb '#e69f00' title 'published', \
  $panel0 using ($1-0.2):2:3:4 with yerrorbars lc rgb 'black' pt 0 title '5 to 95 %'
set title 'a metric whose name goes on and on'
unset key
plot $panel1 using ($1-0):2 with boxes lc rgb '#1f3b73' title 'predicted'
unset multiplot
