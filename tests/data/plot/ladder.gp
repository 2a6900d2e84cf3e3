set terminal svg noenhanced size 1040,720 font 'sans-serif,13' background rgb 'white'
set encoding utf8
set datafile missing 'NaN'
set style fill solid 0.9 border lt -1
set border 3 lw 1
set tics nomirror out
set format y '%.1s%c'
set grid ytics lw 0.5 lc rgb '#d0d0d0'
set key top left
$ladder0 << EOD
0 1000 1000.0 1000.0
1 900 880.0 880.0
2 850 830.0 NaN
EOD
set title 'Made by hand: don''t `run` this'."\n".'by-hand, model power9, seed 7, hvsim 0.0.0; predicted, a.b=c'
set xrange [-0.6:2.6]
set xtics ('start' 0, 'first' 1, 'second' 2)
set yrange [0:*]
set key bottom left reverse Left
set format y '%g'
set ylabel 'cycles, running total'
set xlabel 'patch'
plot $ladder0 using 1:2 with steps lw 3 lc rgb '#1f3b73' title 'predicted', \
  $ladder0 using 1:3 with steps lw 2 dt 2 lc rgb '#e69f00' title 'published (predicted change where none is)', \
  $ladder0 using 1:4 with points pt 7 ps 0.9 lc rgb '#e69f00' title 'a published figure'
