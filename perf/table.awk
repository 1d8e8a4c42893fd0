# The table of bench.sh and wide.sh from compare's --tsv files, one for each program: a row for each, then geomean and lowest.
FNR == 1 { programs[++rows] = FILENAME }
{ if (NR == FNR) names[++columns] = $1
  ms[FILENAME, $1] = $2 / 1e6; ratio[FILENAME, $1] = $5; low[FILENAME, $1] = $6; high[FILENAME, $1] = $7
  logs[$1] += log($5); if (!($1 in least) || $5 < least[$1]) least[$1] = $5 }
END {
    printf "%-12s", "theirs / ours"
    for (c = 1; c <= columns; c++) printf " %24s", c == 1 ? "scr, ms" : names[c]
    printf "\n"
    for (r = 1; r <= rows; r++) {
        p = programs[r]
        printf "%-13s", p
        for (c = 1; c <= columns; c++) {
            n = names[c]
            if (c == 1) printf " %24.1f", ms[p, n]
            else printf " %24s", sprintf(low[p, n] ~ /nan/ ? "%.2f" : "%.2f [%.2f, %.2f]", ratio[p, n], low[p, n], high[p, n])
        }
        printf "\n"
    }
    printf "%-13s %24s", "geomean", ""
    for (c = 2; c <= columns; c++) printf " %24.2f", exp(logs[names[c]] / rows)
    printf "\n%-13s %24s", "lowest", ""
    for (c = 2; c <= columns; c++) printf " %24.2f", least[names[c]]
    printf "\n"
}
