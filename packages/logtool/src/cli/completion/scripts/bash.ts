/**
 * For bash 3.2 or newer; needs nothing else. Rebuilds words from the line, because bash splits them at colons
 * and equal signs, and passes them as typed: the script runs nothing of them.
 */
export const BASH = String.raw`# bash completion of logtool
_logtool_complete() {
    local line=\${COMP_LINE:0:COMP_POINT} typed=$2 rest word prefix='' value description directive='' i
    local -a words values descriptions
    words=() values=() descriptions=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        rest=\${line#"\${line%%[![:space:]]*}"}
        word=\${COMP_WORDS[i]}
        ((i == COMP_CWORD)) && word=$rest
        if ((i > 0)) && [[ $rest == "$line" ]]; then
            words[\${#words[@]}-1]+=$word
        else
            words[\${#words[@]}]=$word
        fi
        line=\${rest#"$word"}
    done
    # After the sign of a redirection comes a file.
    case \${COMP_WORDS[COMP_CWORD-1]} in
        '>' | '>>' | '>|' | '>&' | '<' | '<>') directive=0 ;;
    esac
    # bash replaces what is after the last colon, equal sign or opening quote.
    word=\${words[\${#words[@]}-1]}
    [[ $word == *"$typed" ]] && prefix=\${word%"$typed"}
    local program=\${words[0]/#'~/'/$HOME/}
    type -P -- "$program" >/dev/null || program=logtool
    [[ -z $directive ]] && while IFS=$'\t' read -r value description; do
        case $value in
            :*) directive=\${value#:} ;;
            *) values[\${#values[@]}]=$value descriptions[\${#descriptions[@]}]=$description ;;
        esac
    done < <(LOGTOOL_COMPLETION_KEPT=$prefix "$program" __complete:bash "\${words[@]:1}" 2>/dev/null </dev/null)
    COMPREPLY=()
    if [[ $directive == 0 ]]; then
        if type compopt >/dev/null 2>&1; then
            compopt -o default
        else
            while IFS= read -r value; do COMPREPLY[\${#COMPREPLY[@]}]=$value; done < <(compgen -f -- "$typed")
        fi
        return
    fi
    ((directive & 2)) && type compopt >/dev/null 2>&1 && compopt -o nospace
    for ((i = 0; i < \${#values[@]}; i++)); do
        value=\${values[i]}
        # These types of completion list the candidates and insert none of them.
        case $COMP_TYPE in
            33 | 63 | 64)
                if ((\${#values[@]} > 1)) && [[ -n \${descriptions[i]} ]]; then
                    value="$value  (\${descriptions[i]})"
                    ((\${#value} >= \${COLUMNS:-80})) && value="\${value:0:\${COLUMNS:-80}-4}..."
                fi
                ;;
        esac
        COMPREPLY[\${#COMPREPLY[@]}]=$value
    done
}
complete -F _logtool_complete logtool kubectl-logtool
`.replaceAll('\\${', '${');
