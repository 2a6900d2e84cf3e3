set terminal svg noenhanced size 800,600 font 'sans-serif,13' background rgb 'white'
set encoding utf8
set datafile missing 'NaN'
set style fill solid 0.9 border lt -1
set border 3 lw 1
set tics nomirror out
set format y '%.1s%c'
set grid ytics lw 0.5 lc rgb '#d0d0d0'
set key top left
$sweep0 << EOD
0 0 10
4 4 6
8 8 2
EOD
set title 'Made by hand: don''t `run` this'."\n".'by-hand, model power9, seed 7, hvsim 0.0.0; predicted, a.b=c'
set ylabel 'Exits'
set xlabel 'timers a second'
set key outside right top
unset arrow
unset label
set format y '%.2s%c'
set arrow 1 from 5.0, graph 0 to 5.0, graph 1 nohead dt 3 lw 2 lc rgb 'black'
set label 1 'break-even 5' at 5.0, graph 0.96 right offset -1,0
plot $sweep0 using 1:2 with linespoints lw 2 dt 1 pt 4 ps 0.8 lc rgb '#1f3b73' title 'old', \
  $sweep0 using 1:3 with linespoints lw 2 dt 2 pt 5 ps 0.8 lc rgb '#e69f00' title 'new'
