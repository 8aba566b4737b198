/** For fish from 3.1 on. */
export const FISH = String.raw`# fish completion of logtool
function __logtool_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    command -q -- $program; or set program logtool
    set -l lines (command $program __complete:fish $words[2..-1] "$typed" 2>/dev/null </dev/null)
    set -q lines[1]; or return
    if test "$lines[-1]" = :0
        set -l fixed (string match -r -- '^--[^=]*=' "$typed")
        set -l path (string replace -r -- '^--[^=]*=' '' "$typed")
        for found in (__fish_complete_path "$path")
            echo -- "$fixed$found"
        end
        return
    end
    set -e lines[-1]
    printf '%s\n' $lines
end
for name in logtool kubectl-logtool
    complete -c $name -e
    complete -c $name -f -a '(__logtool_complete)'
end
`;
