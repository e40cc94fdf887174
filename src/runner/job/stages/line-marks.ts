/** A line of a script has begun. */
export interface LineMark {
  /** Number of the line in its script, from 1. */
  line: number
  /** Exit code of what ran before it. */
  statusBefore: number
  /** Time of its first start, in milliseconds since 1970. */
  at: number
}

/**
 * A shell command that prints a line and leaves an empty file, whose name has the number of the line and the exit code
 * of what ran before:
 *
 *     { { { printf … ; } 9>>'…/step_script.3.'"$?" 2>&8; } 8>&2 2>/dev/null || printf … ; }
 *
 * To create a file by a redirection takes 20 µs and no program. The time of the file is that of the start. Nothing of this
 * is visible to the script: there is no variable, function or trap; `set -x` and a trap of DEBUG or ERR show one `printf` as
 * before; line numbers stay the same; the exit code is 0; and files that the script has opened as 8 and 9 are open again
 * afterwards. The outer braces make it one command, because the line before may end in `&&` or `|`. If the file cannot be
 * created, the message is hidden and the line is printed alone. Only `set -v` shows the text.
 *
 * `print`: a simple command. `file`: without the exit code, quoted as a word.
 */
export function marked(print: string, file: string): string {
  return `{ { { ${print}; } 9>>${file}"$?" 2>&8; } 8>&2 2>/dev/null || ${print}; }`
}

/** Names of files begin with this. */
export function markPrefix(section: string): string {
  return section.replaceAll(/[^\w-]/g, '_').slice(0, 100)
}

/** Reads the name of a file. Undefined if it is none of the section, because jobs can create other files. */
export function readMarkName(
  name: string,
  section: string,
): Pick<LineMark, 'line' | 'statusBefore'> | undefined {
  const match = /^(?<prefix>[\w-]+)\.(?<line>\d{1,6})\.(?<status>\d{1,3})$/.exec(name)?.groups
  if (match?.['prefix'] !== markPrefix(section)) return undefined
  return { line: Number(match['line']), statusBefore: Number(match['status']) }
}

/**
 * Whether the shell has read a whole command at the end of the text. If not, the next line of the script belongs to the
 * same command, and gets no mark. In case of doubt it is not whole.
 */
export function isWhole(command: string): boolean {
  let at = 0
  let isBacktick = false
  let delimiters: { word: string; isIndented: boolean }[] = []
  while (at < command.length) {
    const character = command[at]
    const rest = command.slice(at)
    if (character === '\\') {
      if (at + 1 === command.length) return false
      at += 2
    } else if (character === "'" || character === '"') {
      const end = endOfQuote(command, at)
      if (end === undefined) return false
      at = end
    } else if (character === '`') {
      isBacktick = !isBacktick
      at += 1
    } else if (character === '#' && (at === 0 || /[\s;|&(]/.test(command[at - 1] ?? ''))) {
      at += /^[^\n]*/.exec(rest)?.[0].length ?? 1
    } else if (rest.startsWith('<<<')) {
      at += 3
    } else if (rest.startsWith('<<')) {
      const match = /^<<(?<dash>-?)[ \t]*(?<word>'[^'\n]*'|"[^"\n]*"|[^\s;|&<>()]+)/.exec(rest)
      if (!match?.groups) return false
      const word = (match.groups['word'] ?? '').replaceAll(/['"\\]/g, '')
      delimiters.push({ word, isIndented: match.groups['dash'] === '-' })
      at += match[0].length
    } else if (character === '\n' && delimiters.length > 0) {
      const end = endOfDocuments(command, at + 1, delimiters)
      if (end === undefined) return false
      delimiters = []
      at = end
    } else {
      at += 1
    }
  }
  return !isBacktick && delimiters.length === 0
}

/** Position after the quote that begins at `start`. Undefined if it does not end. */
function endOfQuote(command: string, start: number): number | undefined {
  const quote = command[start]
  for (let at = start + 1; at < command.length; at++) {
    if (command[at] === quote) return at + 1
    if (quote === '"' && command[at] === '\\') at++
  }
  return undefined
}

/** Position after the here-documents that begin at `start`, in order. Undefined if one does not end. */
function endOfDocuments(
  command: string,
  start: number,
  delimiters: readonly { word: string; isIndented: boolean }[],
): number | undefined {
  let at = start
  for (const { word, isIndented } of delimiters) {
    for (;;) {
      if (at > command.length) return undefined
      const next = command.indexOf('\n', at)
      const end = next < 0 ? command.length : next
      const line = command.slice(at, end)
      at = end + 1
      if ((isIndented ? line.replace(/^\t+/, '') : line) === word) break
    }
  }
  // The end of the last line is looked at again: it may begin other documents.
  return at - 1
}
