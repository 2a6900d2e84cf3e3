set terminal svg noenhanced size 704,560 font 'sans-serif,13' background rgb 'white'
set encoding utf8
set datafile missing 'NaN'
set style fill solid 0.9 border lt -1
set border 3 lw 1
set tics nomirror out
set format y '%.1s%c'
set grid ytics lw 0.5 lc rgb '#d0d0d0'
set key top left
$bars0 << EOD
0 60.0 0 40.0
1 80.0 0 20.0
EOD
set title 'Made by hand: don''t `run` this'."\n".'by-hand, model power9, seed 7, hvsim 0.0.0; predicted, a.b=c'
set ylabel 'Where time goes, per cent'
set xlabel 'variant'
set style data histograms
set style histogram rowstacked
set boxwidth 0.6
set yrange [0:*]
set key outside right top reverse Left invert
set format y '%g'
set xrange [-0.6:1.6]
set xtics ('old' 0, 'new' 1)
plot $bars0 using 2 lc rgb '#1f3b73' fs solid 0.9 title 'guest', \
  $bars0 using 4 lc rgb '#e69f00' fs solid 0.9 title 'host'
