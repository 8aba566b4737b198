/** For Windows PowerShell 5.1 and PowerShell 7. */
export const POWERSHELL = String.raw`# PowerShell completion of logtool
Register-ArgumentCompleter -Native -CommandName 'logtool', 'kubectl-logtool' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $program = $commandAst.GetCommandName()
    if (-not $program -or -not (Get-Command -Name $program -CommandType Application, ExternalScript -ErrorAction Ignore)) {
        $program = 'logtool'
    }
    $words = @()
    $typed = "$wordToComplete".Trim("'", '"')
    $head = ''
    foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
        # PowerShell passes the word at the cursor separately.
        if ($element.Extent.EndOffset -ge $cursorPosition) {
            # PowerShell splits it at commas: the text before the last comma belongs to it too.
            $length = $cursorPosition - $element.Extent.StartOffset
            if ($length -gt $typed.Length) {
                $whole = $element.Extent.Text.Substring(0, $length)
                if ($whole -match '^[\w./:=%+,-]+$' -and $whole.EndsWith($typed)) {
                    $head = $whole.Substring(0, $length - $typed.Length)
                }
            }
            break
        }
        if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $words += $element.Value }
        else { $words += $element.Extent.Text }
    }
    # PowerShell drops an empty argument: an equal sign before the last one keeps it.
    $lines = @(& $program '__complete:powershell' @words "=$head$typed" 2>$null)
    if ($lines.Count -eq 0) { return }
    if ($lines[-1] -eq ':0') {
        $fixed = if ($typed -match '^(--[^=]*=)') { $Matches[1] } else { '' }
        $path = $typed.Substring($fixed.Length)
        [System.Management.Automation.CompletionCompleters]::CompleteFilename($path) | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($fixed + $_.CompletionText, $_.ListItemText, $_.ResultType, $_.ToolTip)
        }
        return
    }
    $results = @($lines | Select-Object -SkipLast 1 | ForEach-Object {
        $value, $description = $_ -split [char]9, 2
        if (-not $value.StartsWith($head) -or $value.Length -eq $head.Length) { return }
        $value = $value.Substring($head.Length)
        if (-not $description) { $description = $value }
        $text = $value
        if ($text -notmatch '^[\w./:=%+-]+$') {
            $text = "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($value) + "'"
        }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
    })
    # Without any result, PowerShell would offer the names of files.
    if ($results.Count -eq 0) { return '' }
    $results
}
`;
