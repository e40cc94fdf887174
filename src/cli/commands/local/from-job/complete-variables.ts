import type { WithheldVariable } from '../../../../coordinator/ci/jobs/reproduction/schema.js'
import type { JobVariable } from '../../../../protocol/job-payload.js'

/** Why a value is missing, for people. */
const REASONS: Record<WithheldVariable['reason'], string> = {
  masked: 'masked',
  protected: 'protected',
  file: 'a file',
  credentials: 'credentials of the job',
  personal: 'personal',
  contains_secret: 'contains a secret',
  role: 'needs the role of a developer',
  external_secret: 'from a secrets provider',
  id_token: 'an ID token',
}

/** Nobody could type them. */
const NEVER_ASKED = new Set<WithheldVariable['reason']>(['credentials', 'personal', 'id_token'])

interface GivenValues {
  variables: ReadonlyMap<string, string>
  /** Values that logs mask. */
  secrets: ReadonlyMap<string, string>
}

interface CompletedVariables {
  variables: JobVariable[]
  /** Sentences about those that are left out. */
  leftOut: string[]
}

/**
 * Adds to the variables of a job those that the user gives, and asks for others that the server withholds. `ask` returns the
 * value, or an empty text to leave it out; undefined without a terminal.
 */
export async function completeVariables(
  sent: readonly JobVariable[],
  withheld: readonly WithheldVariable[],
  { variables, secrets }: GivenValues,
  ask: ((question: string) => Promise<string>) | undefined,
): Promise<CompletedVariables> {
  const added: JobVariable[] = []
  const leftOut: string[] = []
  for (const { key, reason, file } of withheld) {
    if (variables.has(key) || secrets.has(key)) continue
    const value =
      ask && !NEVER_ASKED.has(reason)
        ? await ask(
            `${key} (${REASONS[reason]}${file && reason !== 'file' ? ', a file' : ''}), Enter = leave out: `,
          )
        : ''
    if (value === '') leftOut.push(`${key} (${REASONS[reason]})`)
    else added.push(secretOf(key, value, file))
  }
  const isFile = (key: string) => withheld.some((one) => one.key === key && one.file)
  const given = [
    ...[...variables].map(([key, value]) => ({
      key,
      value,
      public: false,
      raw: true,
      ...fileFlag(isFile(key)),
    })),
    ...[...secrets].map(([key, value]) => secretOf(key, value, isFile(key))),
  ]
  return { variables: [...sent, ...added, ...given], leftOut }
}

/** References in other values get it as it is. */
function secretOf(key: string, value: string, file: boolean): JobVariable {
  return { key, value, public: false, masked: true, raw: true, ...fileFlag(file) }
}

function fileFlag(file: boolean): { file?: true } {
  return file ? { file: true } : {}
}
