set terminal svg noenhanced size 880,600 font 'sans-serif,13' background rgb 'white'
set encoding utf8
set datafile missing 'NaN'
set style fill solid 0.9 border lt -1
set border 3 lw 1
set tics nomirror out
set format y '%.1s%c'
set grid ytics lw 0.5 lc rgb '#d0d0d0'
set key top left
$rows0 << EOD
0 70 20
1 30 30
EOD
set title 'Made by hand: don''t `run` this'."\n".'by-hand, model power9, seed 7, hvsim 0.0.0; predicted, a.b=c'
set ylabel 'Exits by cause'
set xlabel 'trap'
set xrange [-0.6:1.6]
set xtics ('DEC' 0, 'HCALL' 1)
set yrange [0:*]
set key outside right top
set style data boxes
w = 0.8 / 2
set boxwidth w
plot $rows0 using ($1+w*(0-2*0.5+0.5)):2 lc rgb '#1f3b73' title 'old', \
  $rows0 using ($1+w*(1-2*0.5+0.5)):3 lc rgb '#e69f00' title 'new'
