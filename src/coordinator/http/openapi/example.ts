import { type JsonSchema, nullableInner } from '../parameters/json-schema.js'

/**
 * A record as it might be answered, made of its schema: first what the declaration itself allows, then what a field of this
 * name and format usually holds. Undefined where nothing is known that the schema would take.
 */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  const inner = nullableInner(schema)
  if (inner) return exampleOf(inner, name) ?? null
  const declared = [schema.default, schema.const, schema.enum?.[0]].find((value) => value !== undefined)
  if (declared !== undefined) return declared
  const [choice] = schema.anyOf ?? []
  if (choice) return exampleOf(choice, name)
  switch (schema.type) {
    case 'object':
      return exampleOfObject(schema)
    case 'array':
      return exampleOfList(schema.items ?? {}, name)
    case 'string':
      return exampleOfText(schema, name)
    case 'integer':
    case 'number':
      return exampleOfNumber(schema, NUMBERS[name] ?? 1)
    case 'boolean':
      return !FALSE_FLAGS.test(name)
    default:
      return null
  }
}

function exampleOfObject({ properties = {}, patternProperties = {} }: JsonSchema): Record<string, unknown> {
  const fields = Object.entries(properties).map(([name, field]) => [name, exampleOf(field, name)] as const)
  const named = Object.values(patternProperties).map((field) => ['key', exampleOf(field)] as const)
  return Object.fromEntries([...fields, ...named].filter(([, example]) => example !== undefined))
}

function exampleOfList(items: JsonSchema, name: string): unknown[] {
  const example = exampleOf(items, name.replace(/s$/, ''))
  return example === undefined ? [] : [example]
}

function exampleOfText({ format, pattern, minLength = 0, maxLength = Infinity }: JsonSchema, name: string) {
  if (format === 'binary') return undefined
  const known = FORMATS[format ?? ''] ?? TEXTS[name] ?? BY_ENDING.find(([end]) => end.test(name))?.[1]
  const text = known ?? 'text'
  const isRight = text.length >= minLength && text.length <= maxLength
  return isRight && (pattern === undefined || new RegExp(pattern, 'u').test(text)) ? text : undefined
}

function exampleOfNumber(
  { type, minimum = -Infinity, maximum = Infinity }: JsonSchema,
  usual: number,
): number {
  const number = Math.max(minimum, Math.min(maximum, usual))
  return type === 'integer' ? Math.round(number) : number
}

const SHA = '6104942438c14ec7bd21c6cd5bd995272b3faff6'

const FORMATS: Record<string, string | undefined> = {
  'date-time': '2026-01-15T09:30:00.000Z',
  date: '2026-01-15',
}

const TEXTS: Record<string, string | undefined> = {
  ...{ id: SHA, sha: SHA, before_sha: SHA, commit_id: SHA, parent_id: SHA, short_id: SHA.slice(0, 8) },
  ...{ username: 'jane', name: 'Example', name_with_namespace: 'Team / Example', title: 'Build the example' },
  ...{
    path: 'example',
    full_path: 'team/example',
    path_with_namespace: 'team/example',
    file_path: 'src/main.c',
  },
  ...{ description: 'An example', message: 'Build the example', bio: 'Builds things', location: 'Oslo' },
  ...{
    ref: 'main',
    branch: 'main',
    default_branch: 'main',
    tag_name: 'v1.0.0',
    tag: 'docker',
    version: '1.0.0',
  },
  ...{ key: 'DEPLOY_TARGET', value: 'staging', cron: '0 4 * * *', cron_timezone: 'UTC', stage: 'test' },
  ...{ ip_address: '192.0.2.10', system_id: 's_c2d22f638c25', architecture: 'amd64', platform: 'linux' },
  ...{ author_name: 'Jane', committer_name: 'Jane', filename: 'artifacts.zip', token: 'a-secret-shown-once' },
  environment_scope: '*',
}

const BY_ENDING: [RegExp, string][] = [
  [/(^|_)email$/, 'jane@switchyard.example'],
  [/^http_url_to_repo$/, 'https://switchyard.example/team/example.git'],
  [/(^|_)ur[li]$/, 'https://switchyard.example/team/example'],
  [/_(at|before|after)$/, '2026-01-15T09:30:00.000Z'],
  [/(^|_)ip$/, '192.0.2.10'],
  [/_sha$/, SHA],
  [/(^|_)name$/, 'example'],
]

const NUMBERS: Record<string, number | undefined> = {
  ...{ id: 7, iid: 3, project_id: 7, group_id: 4, user_id: 5, pipeline_id: 12, job_id: 42, size: 1024 },
  ...{ access_level: 30, group_access: 30, group_access_level: 30, duration: 42.5, coverage: 87.5 },
  ...{ build_timeout: 3600, timeout: 3600, port: 22 },
}

const FALSE_FLAGS = /^(archived|blocked|external|is_admin|locked|bot|masked|mirror|paused|empty_repo|trial)$/
