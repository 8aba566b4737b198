/** For zsh after compinit: run by \`source\`, or installed as the file \`_logtool\` in a folder of fpath. */
export const ZSH = String.raw`#compdef logtool kubectl-logtool
_logtool() {
    local program=\${(Q)words[1]} tab=$'\t' directive='' line value text
    local -a values displays open open_displays
    [[ $program == '~/'* ]] && program=$HOME/\${program#'~/'}
    (( $+commands[$program] )) || [[ $program == */* && -x $program ]] || program=logtool
    for line in "\${(@f)$("$program" __complete:zsh "\${(@)words[2,CURRENT-1]}" "$QIPREFIX$IPREFIX$PREFIX" 2>/dev/null </dev/null)}"; do
        if [[ $line == :* ]]; then
            directive=\${line#:}
            continue
        fi
        value=\${line%%$tab*}
        text=$value
        [[ $line == *$tab* ]] && text="$value  -- \${line#*$tab}"
        # A name follows after these.
        if [[ $value == *[/:=] ]]; then
            open+=("$value") open_displays+=("$text")
        else
            values+=("$value") displays+=("$text")
        fi
    done
    if [[ $directive == 0 ]]; then
        compset -P '--[^=]##=' || compset -P '*='
        _files
        return
    fi
    # Leaves a word with a variable as it is.
    (( directive & 64 )) && compset -P '*[:/=,]'
    if (( directive & 2 )); then
        open+=("\${values[@]}") open_displays+=("\${displays[@]}")
        values=() displays=()
    fi
    local found=1
    (( $#open )) && compadd -l -S '' -d open_displays -a open && found=0
    (( $#values )) && compadd -l -d displays -a values && found=0
    return found
}
if [[ \${funcstack[1]-} == _logtool ]]; then
    _logtool "$@"
else
    compdef _logtool logtool kubectl-logtool
fi
`.replaceAll('\\${', '${');
