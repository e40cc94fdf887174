import { ACCOUNTS } from '../../src/error-catalogue/api/accounts.js'
import { CI } from '../../src/error-catalogue/api/ci.js'
import { CREDENTIALS } from '../../src/error-catalogue/api/credentials.js'
import type { ApiErrorEntries } from '../../src/error-catalogue/api/entry.js'
import { HOSTING } from '../../src/error-catalogue/api/hosting.js'
import { INTEGRATIONS } from '../../src/error-catalogue/api/integrations.js'
import { OAUTH } from '../../src/error-catalogue/api/oauth.js'
import { PLANNING } from '../../src/error-catalogue/api/planning.js'
import { REQUESTS } from '../../src/error-catalogue/api/requests.js'
import { SCIM } from '../../src/error-catalogue/api/scim.js'
import { EXIT_CODES } from '../../src/error-catalogue/exit-codes.js'
import { JOB_FAILURES, TRIGGER_JOB_FAILURES } from '../../src/error-catalogue/failure-reasons.js'
import { GIT_ERRORS, LFS_ERRORS } from '../../src/error-catalogue/git-errors.js'

/** The sections of the reference about errors of the API. */
export const API_AREAS: [title: string, entries: ApiErrorEntries][] = [
  ['Requests', REQUESTS],
  ['Credentials and roles', CREDENTIALS],
  ['OAuth 2.0', OAUTH],
  ['CI/CD', CI],
  ['Projects and repositories', HOSTING],
  ['Issues and merge requests', PLANNING],
  ['Users and groups', ACCOUNTS],
  ['SCIM', SCIM],
  ['Webhooks', INTEGRATIONS],
]

/** The text of `docs/reference/errors.md`. */
export function errorReference(): string {
  const sections = API_AREAS.map(([title, entries]) => `### ${title}\n\n${tableOf(entries)}`)
  const parts = [
    INTRODUCTION,
    ...sections,
    GIT,
    tableOf(GIT_ERRORS),
    LFS,
    tableOf(LFS_ERRORS),
    FAILURES,
    failureTable(JOB_FAILURES),
    TRIGGER_JOBS,
    failureTable(TRIGGER_JOB_FAILURES),
    EXITS,
    exitTable(),
  ]
  return `${parts.join('\n\n')}\n`
}

const INTRODUCTION = `# Errors

This page is for users and operators. It lists the errors of the API, the failure reasons of jobs and the exit codes of
commands, and what to do about them. It is made from \`src/error-catalogue/\`.

## Errors of the API

Search this page for the code or the message of a response:

    curl --include --header "PRIVATE-TOKEN: $TOKEN" https://ci.example.com/api/v4/projects/0

- The header \`X-Error-Code\` of the response contains the code. Codes stay as they are; new ones may be added.
- The body contains the message in \`message\` or \`error\` ([API, A4](api.md#a4-errors)). \`<name>\` stands for a text that
  depends on the request.
- The header \`X-Request-Id\` names the request in the log of the coordinator.`

const GIT = `## Errors of git

A git client shows the message after \`remote:\`, over SSH without the status. The header \`X-Error-Code\` contains the
code; \`GIT_CURL_VERBOSE=1\` shows it.`

const LFS = `Clients of Git LFS show these too:`

const FAILURES = `## Failure reasons of jobs

\`failure_reason\` of a failed job has one of these values, and \`retry:when\` accepts them. The page of the job shows the
reason, and its log usually more.`

const TRIGGER_JOBS = `Trigger jobs may also fail with these:`

function failureTable(
  entries: Record<string, { meaning: string; remedy: string; isForeign?: true }>,
): string {
  return table(
    ['reason', 'what has happened', 'what to do'],
    Object.entries(entries).map(([reason, { meaning, remedy, isForeign }]) => [
      `\`${reason}\``,
      isForeign ? `${meaning}. Only other runners report it` : meaning,
      remedy,
    ]),
  )
}

const EXITS = `## Exit codes of commands

A command that succeeds exits with 0. Others print the reason, and what to do, to standard error.`

function exitTable(): string {
  return table(
    ['exit code', 'meaning', 'what to do'],
    Object.values(EXIT_CODES).map(({ code, meaning, remedy }) => [String(code), meaning, remedy]),
  )
}

function tableOf(entries: ApiErrorEntries): string {
  return table(
    ['code', 'status', 'message', 'what to do'],
    Object.entries(entries).map(([code, { status, message, remedy }]) => [
      `\`${code}\``,
      String(status),
      `\`${message}\``,
      remedy,
    ]),
  )
}

/** A Markdown table whose columns are aligned, as the formatter of the repository writes it. */
function table(head: string[], rows: string[][]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  const lines = cells.map((row) => lineOf(row.map((cell, column) => cell.padEnd(widths[column]!))))
  return [lines[0], lineOf(widths.map((width) => '-'.repeat(width))), ...lines.slice(1)].join('\n')
}

function lineOf(cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}
