# Imports PGN files with Scid's own reader: tkscid scid.tcl BASE FILE.... Prints how many games were read; what Scid warns of
# ends it.
set base [sc_base create SCID4 [lindex $argv 0]]
foreach file [lrange $argv 1 end] {
    lassign [sc_base import $base $file] count warnings
    if {$warnings ne ""} {
        puts stderr "$file: $warnings"
        exit 1
    }
}
puts [sc_base numGames $base]
