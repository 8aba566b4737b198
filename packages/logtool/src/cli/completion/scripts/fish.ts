/** For fish 3.1 or newer. */
export const FISH = String.raw`# fish completion of logtool
# Fails where files are wanted: fish completes those itself, after ~, variables and quotes too.
function __logtool_prepare
    set -g __logtool_offers
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    command -q -- $program; or set program logtool
    set -l lines (command $program __complete:fish $words[2..-1] "$typed" 2>/dev/null </dev/null)
    set -q lines[1]; or return 0
    test "$lines[-1]" = :0; and return 1
    set -l directive $lines[-1]
    set -e lines[-1]
    # A word that continues: fish puts no blank after it where there is a longer one.
    if test "$directive" = :6; and test (count $lines) -eq 1
        set -l value (string split -m 1 -- \t $lines[1])[1]
        string match -q -r -- '[@=/:.,]$' "$value"; or set -a lines "$value,"
    end
    set -g __logtool_offers $lines
    return 0
end
for name in logtool kubectl-logtool
    complete -c $name -e
    complete -c $name -n __logtool_prepare -f -a '$__logtool_offers'
end
`;
