// This is JavaScript because a worker thread runs it from src/ too (trace-worker.js).

/** Words that also say what did not fail: they decide only where nothing surer is found. */
const VAGUE = /\b(?:failed|failure|failing|aborted|unable to|could not|cannot)\b/i

/**
 * What a line says about a failure, from the surest to the vaguest. A lookahead rules out most lines soon.
 * @type {readonly (readonly RegExp[])[]}
 */
const RANKS = [
  // What a compiler or a test runner reports, at its place.
  [
    // gcc, clang, swiftc, javac and many more: `a.c:3:5: error: …`; rollup, esbuild and tsc --pretty: `a.ts:3:5 - error …`
    /^(?=.*error)\s*[^\s:][^:]{0,300}:\d+(?::\d+)?(?::| -) (?:fatal )?error\b/i,
    // tsc, MSBuild: `a.ts(3,5): error TS2322: …`
    /^(?=.*: error)\s*\S.{0,300}\(\d+(?:,\d+)*\): error\b/,
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
    /^(?=.* FAILED$)\S.{0,300} > \S.{0,300} FAILED$/,
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
    /: line \d+: .{0,300}(?:command not found|No such file or directory|Permission denied|syntax error|unbound variable|Killed|Aborted|Segmentation fault)/,
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
  [
    /^\s*(?:[✕✗✘×✖❌]|\[FAIL(?:ED)?\])\s*\S/u,
    /^(?=.* \.{3} )\s*(?:test )?\S.{0,300} \.{3} (?:FAILED|FAIL|ERROR)$/,
  ],
  // What follows from an error.
  [
    /\bnpm (?:ERR!|error)/,
    /^(?:g?make|mingw32-make|ninja)(?:\[\d+\])?: \*\*\* /,
    /\b(?:exited|failed|finished|completed|error|status) .{0,40}\b(?:exit )?(?:code|status)[: ]+[1-9]/i,
    /\bexit (?:code|status)[: ]+[1-9]/i,
    VAGUE,
  ],
]

/** The rank of what follows from an error. Lower ones are surer, from 0. */
export const CONSEQUENCE = RANKS.length - 1
const MESSAGES = RANKS.flat().filter((expression) => expression !== VAGUE)

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
export const OF_RUNNER =
  /^(?:Cleaning up |Uploading |Running after_script)|^ERROR: Job failed: exit (?:code|status) /
/** Why the runner ended a job, such as a timeout or an image that it could not pull. */
export const RESULT = /^(?:ERROR: Job failed|ERROR: Preparation failed)/
/** Before what BuildKit and other tools show: `#8 0.512 `, `12:03:04 `, `2026-01-01T00:00:00.000Z `. */
export const PREFIX =
  /^(?:#\d+ (?:\d+\.\d+ )?|\d+\.\d{1,3} (?=\S)|\[?\d\d:\d\d:\d\d(?:\.\d+)?\]? |\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S* )/

/** A command that a runner prints before it runs. */
export const PLAIN_COMMAND = /^\$ /

/**
 * How surely a line says what failed: from 0 to `CONSEQUENCE`; undefined if it says nothing about a failure.
 * @param {string} shown visible text of the line
 * @returns {number | undefined}
 */
export function rankOf(shown) {
  const text = shown.replace(PREFIX, '')
  if (OF_RUNNER.test(text) || isHarmless(text)) return undefined
  if (RESULT.test(text)) return CONSEQUENCE
  const rank = RANKS.findIndex((expressions) => expressions.some((expression) => expression.test(text)))
  if (rank < 0) return undefined
  return TOTALS.test(text) ? CONSEQUENCE : rank
}

/** Characters of a line in which a message begins. */
const MAX_CHARACTERS = 2000

/**
 * Where a line reports an error, in the terms of `rankOf`: first and last position of the message. Undefined if it
 * reports none.
 * @param {string} line visible text of the line
 * @returns {[number, number] | undefined}
 */
export function errorIn(line) {
  const offset = PREFIX.exec(line)?.[0].length ?? 0
  const text = line.slice(offset, offset + MAX_CHARACTERS)
  const match = RESULT.exec(text) ?? firstMatch(text)
  // Most lines match nothing, so these are looked for last.
  if (!match || isHarmless(text) || (OF_RUNNER.test(text) && !RESULT.test(text))) return undefined
  return [offset + match.index, offset + match.index + match[0].length]
}

/** @param {string} text */
function firstMatch(text) {
  for (const expression of MESSAGES) {
    const match = expression.exec(text)
    if (match) return match
  }
  return undefined
}

/** @param {string} text */
function isHarmless(text) {
  return text === '' || PLAIN_COMMAND.test(text) || HARMLESS.some((expression) => expression.test(text))
}
