import { plainText } from './shown-line.js'

/** What a line says about a failure, from the surest to the vaguest. */
const RANKS = [
  // What a compiler or a test runner reports, at its place.
  [
    // gcc, clang, swiftc, javac and many more: `a.c:3:5: error: …`; rollup, esbuild and tsc --pretty: `a.ts:3:5 - error …`
    /^\s*[^\s:][^:]{0,300}:\d+(?::\d+)?(?::| -) (?:fatal )?error\b/i,
    // tsc, MSBuild: `a.ts(3,5): error TS2322: …`
    /^\s*\S.{0,300}\(\d+(?:,\d+)*\): error\b/,
    // ESLint and Stylelint: `  3:5  error  …`; Ruff: `F401 [*] …`
    /^\s+\d+:\d+\s+(?:error|✖)\s/u,
    /^[A-Z]{1,4}\d{3,4} (?:\[\*\] )?\S/,
    // rustc: `error[E0382]: …`
    /^error\[[A-Z]\d+\]: /,
    // Maven: `[ERROR] /src/A.java:[3,5] …`; Kotlin: `e: file:///src/A.kt:3:5 …`
    /^\[ERROR\] \S.{0,300}:\[\d+,\d+\]/,
    /^e: (?:file:)?\S+:\d+:\d+/,
    // Go: `./a.go:3:5: undefined: …`, `vet: ./a.go:3:5: …`
    /^(?:vet: )?\S+\.go:\d+:\d+: /,
    // Linkers.
    /undefined reference to [`'"]/,
    // flake8, mypy, pylint, rubocop: `a.py:3:5: E999 …`, `a.py:3: error: …`
    /^\S+\.(?:py|rb):\d+:\d+: [A-Z]+\d*:? /,
    // pytest: what was asserted
    /^E {2,}\S/,
    // Jest: `  ● adds › numbers`
    /^\s*● \S/,
    // Vitest: ` FAIL  a.test.ts > adds`
    /^\s*FAIL\s+\S.* > \S/,
    // Go: `--- FAIL: TestAdds (0.00s)`
    /^\s*--- FAIL: /,
    // Rust: `thread 'adds' panicked at …`
    /^thread '.{0,200}' (?:\(\d+\) )?panicked at\b/,
    // RSpec and PHPUnit
    /^\s*Failure\/Error: /,
    /^Failed asserting that /,
    // Maven: `[ERROR] adds -- Time elapsed: 0.1 s <<< FAILURE!`; Gradle: `ATest > adds() FAILED`
    /<<< (?:FAILURE|ERROR)!/,
    /^\S.{0,300} > \S.{0,300} FAILED$/,
    // TAP: `not ok 3 - adds`
    /^\s*not ok \d+/,
    // CTest: `1/3 Test #1: adds ...***Failed`; GoogleTest: `a_test.cc:10: Failure`
    /\.\*\*\*(?:Failed|Exception|Timeout|Not Run)/,
    /^\S+:\d+: Failure$/,
    // .NET: `  Failed Adds [3 ms]`; unittest: `FAIL: test_adds (…)`
    /^\s+Failed \S.{0,200} \[/,
    /^(?:FAIL|ERROR): \w+ \(\S+\)/,
  ],
  // Messages of programs.
  [
    // Shells: `sh: 1: vite: not found`, `bash: line 3: vite: command not found`
    /^(?:\/\S+\/)?(?:ba|da|a|z|k)?sh: .*(?:not found|No such file or directory|Permission denied|syntax error|unbound variable|cannot execute|parameter (?:not|null)|Is a directory)/,
    /: line \d+: .*(?:command not found|No such file or directory|Permission denied|syntax error|unbound variable|Killed|Aborted|Segmentation fault)/,
    /\bcommand not found(?:$|:)/,
    // `error: …`, `[ERROR] …`, `error TS2322: …`, `Error response from daemon: …`
    /(?<![\w./-])(?:error|fatal|panic)(?:[:\])!(]|[ \t]+[A-Z]{1,8}\d|\[)/i,
    /\bError response from daemon\b/,
    // Exceptions with a message.
    /\b[A-Z]\w{0,80}(?:Error|Exception|Failure|Interrupt|Panic)(?:: |$|\)| \[)/,
    /^Traceback \(most recent call last\)/,
    /^(?:[a-z_]\w{0,80}\.){1,8}[A-Z]\w{0,80}(?:: |$)/,
    /##\[error\]/,
    /^CMake Error\b/,
    // webpack, Vite, Yarn, pnpm, APT
    /^(?:ERROR in |error during build|error [A-Z"]|E: )|\bERR_[A-Z_]{3,}/,
    /\bFAIL(?:ED|URE)?\b/,
    /^\* What went wrong:/,
    /\b(?:Segmentation fault|core dumped|Out of memory|out of memory|OOMKilled|stack smashing detected)\b/i,
    /^(?:Killed|Aborted|Terminated|Bus error)\b/,
    /\b(?:No such file or directory|Permission denied|Connection refused|was refused|Could not resolve host|No space left on device)\b/i,
    /\bcannot find (?:module|package|symbol)\b/i,
    /^(?:curl|wget|ssh|scp|rsync|git|tar|cp|mv|rm|cat|ls|mkdir|cd|make|docker|kubectl|helm|terraform): .*(?:\(\d+\)|cannot|can't|failed|unable|missing|invalid|denied|refused|unknown)/i,
  ],
  // Names of tests and steps that failed, whose messages may follow much later.
  [/^\s*(?:[✕✗✘×✖❌]|\[FAIL(?:ED)?\])\s*\S/u, /^\s*(?:test )?\S.{0,300} \.{3} (?:FAILED|FAIL|ERROR)$/],
  // What follows from an error.
  [
    /\bnpm (?:ERR!|error)/,
    /^(?:g?make|mingw32-make|ninja)(?:\[\d+\])?: \*\*\* /,
    /\b(?:exited|failed|finished|completed|error|status) .{0,40}\b(?:exit )?(?:code|status)[: ]+[1-9]/i,
    /\bexit (?:code|status)[: ]+[1-9]/i,
    /\b(?:failed|failure|failing|aborted|unable to|could not|cannot)\b/i,
  ],
] as const

const CONSEQUENCE = RANKS.length - 1

/**
 * Lines with these words about errors say that there are none, or about others: tests that passed, warnings, counts of
 * nothing, and totals of a runner that names each failure before.
 */
const HARMLESS = [
  /^\s*(?:[✓✔√]|ok \d|PASS(?:ED)?\b|--- PASS|\[PASS|\[\s*OK)/u,
  /\.{3} (?:ok|PASSED|skipped|ignored)\b|\bPASSED\b|# (?:TODO|SKIP)\b/,
  /(?<![1-9])(?<!\d)0 (?:errors?|fail(?:ed|ures?|ing)?)\b|\b(?:errors?|fail(?:ed|ures?)): 0\b/i,
  /\bno (?:errors?|failures?)\b/i,
  /^\s*(?:\[?warn(?:ing)?\b|npm warn|deprecated)/i,
  /^\S.{0,300}: warning: /,
]

/** Totals after the failures, which name none. */
const TOTALS =
  /^\s*(?:\[ERROR\] )?(?:=+ |Tests?\b|Test (?:Files|Suites)\b|FAILED \(|FAIL$|FAILED$|Tests run:|BUILD FAIL|\d+ (?:tests?|examples?|problems?|failing)\b|✖ \d+ problems?|test result:)/u

/** What the runner prints after the script. */
const OF_RUNNER =
  /^(?:Cleaning up |Uploading |Running after_script)|^ERROR: Job failed: exit (?:code|status) /
/** Why the runner ended a job, such as a timeout or an image that it could not pull. */
const RESULT = /^(?:ERROR: Job failed|ERROR: Preparation failed)/
/** Before what BuildKit and other tools show: `#8 0.512 `, `12:03:04 `, `2026-01-01T00:00:00.000Z `. */
const PREFIX =
  /^(?:#\d+ (?:\d+\.\d+ )?|\d+\.\d{1,3} (?=\S)|\[?\d\d:\d\d:\d\d(?:\.\d+)?\]? |\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S* )/

/** How runners print a command before it runs: green and bold. */
// oxlint-disable-next-line no-control-regex
const SHOWN_COMMAND = /^(?:\x1b\[0K)?\x1b\[(?:0;)?32;1m\$ /
const PLAIN_COMMAND = /^\$ /

/**
 * The line of a log that says why a script failed: an index in `lines`, which are those of the section that failed, with
 * their styles. It is the first of the surest messages of the last command; without one, the last line with text.
 * Undefined if no line has text.
 */
export function findFailingLine(lines: readonly string[]): number | undefined {
  const texts = lines.map((line) => plainText(line).trimEnd())
  const shown = lines.findLastIndex((line) => SHOWN_COMMAND.test(line))
  // Of the commands of a script, the last one has failed. A text such as `$ npm ci` may also be part of an output.
  const from = (shown >= 0 ? shown : texts.findLastIndex((text) => PLAIN_COMMAND.test(text))) + 1
  const ofCommand = surest(texts, from)
  const ofAll = shown < 0 && from > 0 && (ofCommand?.rank ?? RANKS.length) > 1 ? surest(texts, 0) : undefined
  const found = ofAll && (!ofCommand || ofAll.rank < ofCommand.rank) ? ofAll : ofCommand
  return found?.line ?? lastText(texts)
}

/** Whether the runner says in a line why it ended the job. */
export function isResultOfRunner(line: string): boolean {
  return RESULT.test(plainText(line))
}

/** The first line of the best rank from the line `from` on. */
function surest(texts: readonly string[], from: number): { line: number; rank: number } | undefined {
  let found: { line: number; rank: number } | undefined
  for (let line = from; line < texts.length && found?.rank !== 0; line++) {
    const rank = rankOf(texts[line] ?? '')
    if (rank !== undefined && (!found || rank < found.rank)) found = { line, rank }
  }
  return found && { ...found, line: messageOf(texts, found.line) }
}

function rankOf(shown: string): number | undefined {
  const text = shown.replace(PREFIX, '')
  if (text === '' || OF_RUNNER.test(text) || PLAIN_COMMAND.test(text)) return undefined
  if (HARMLESS.some((expression) => expression.test(text))) return undefined
  if (RESULT.test(text)) return CONSEQUENCE
  const rank = RANKS.findIndex((expressions) => expressions.some((expression) => expression.test(text)))
  if (rank < 0) return undefined
  return TOTALS.test(text) ? CONSEQUENCE : rank
}

/** The exception of a Python traceback is below its stack. */
function messageOf(texts: readonly string[], line: number): number {
  if (!/\bTraceback \(/.test(texts[line] ?? '')) return line
  const end = texts.findIndex((text, index) => index > line && /^\S/.test(text.replace(PREFIX, '')))
  return end < 0 ? line : end
}

function lastText(texts: readonly string[]): number | undefined {
  const last = texts.findLastIndex((text) => text !== '' && !OF_RUNNER.test(text))
  if (last >= 0) return last
  const any = texts.findLastIndex((text) => text !== '')
  return any < 0 ? undefined : any
}
