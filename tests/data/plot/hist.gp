set terminal svg noenhanced size 800,600 font 'sans-serif,13' background rgb 'white'
set encoding utf8
set datafile missing 'NaN'
set style fill solid 0.9 border lt -1
set border 3 lw 1
set tics nomirror out
set format y '%.1s%c'
set grid ytics lw 0.5 lc rgb '#d0d0d0'
set key top left
$hist0 << EOD
1 25.0
2 75.0
5 0.0
EOD
set title 'Made by hand: don''t `run` this'."\n".'by-hand, model power9, seed 7, hvsim 0.0.0; predicted, a.b=c'
set ylabel 'Latency, per cent'
set xlabel 'from, us'
set key outside right top
set logscale x 10
set format x '%g'
set yrange [0:*]
plot $hist0 using 1:2 with fillsteps fs transparent solid 0.35 lc rgb '#1f3b73' title 'old', \
  $hist0 using 1:2 with steps lw 2 dt 1 lc rgb '#1f3b73' notitle
