import { type Static, Type } from 'typebox'

import { described, flag, optional } from '../../http/parameters/described.js'
import { DateTime, Nullable } from '../../http/parameters/types.js'

const Expression = Nullable(Type.String({ maxLength: 511 }))
const Megabytes = Type.Integer({ minimum: 0, maximum: 1_000_000 })

const EXPRESSIONS = {
  commit_message_regex: 'Expression that commit messages must match.',
  commit_message_negative_regex: 'Expression that commit messages must not match.',
  branch_name_regex: 'Expression that names of new branches must match.',
  author_email_regex: 'Expression that the addresses of authors and committers must match.',
  file_name_regex: 'Expression that names of added files must not match.',
}
const FLAGS = {
  deny_delete_tag: 'Whether pushes may not delete tags.',
  member_check: 'Whether authors of commits must be users.',
  prevent_secrets: 'Whether files are refused that usually hold keys or passwords.',
  commit_committer_check:
    'Whether users push only commits that they have committed with a confirmed address.',
  reject_unsigned_commits: 'Whether commits must be signed.',
}

type Expressions = keyof typeof EXPRESSIONS
type Flags = keyof typeof FLAGS

const expressionNames = Object.keys(EXPRESSIONS) as Expressions[]
const flagNames = Object.keys(FLAGS) as Flags[]

function fieldsOf<Name extends string, Schema>(
  names: readonly Name[],
  schemaOf: (name: Name) => Schema,
): Record<Name, Schema> {
  return Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as Record<Name, Schema>
}

export const SetPushRule = Type.Object({
  ...fieldsOf(expressionNames, (name) => optional(Expression, EXPRESSIONS[name])),
  ...fieldsOf(flagNames, (name) => optional(Type.Boolean(), FLAGS[name])),
  max_file_size: optional(Megabytes, 'Largest file in MB; 0 = no limit.'),
})
export type SetPushRule = Static<typeof SetPushRule>

const rule = {
  id: described(Type.Integer(), 'ID of the push rule.'),
  created_at: described(DateTime(), 'Time of creation.'),
  ...fieldsOf(expressionNames, (name) => described(Expression, EXPRESSIONS[name])),
  ...fieldsOf(flagNames, (name) => flag(FLAGS[name])),
  max_file_size: described(Megabytes, 'Largest file in MB; 0 = no limit.'),
}

export const ProjectPushRule = Type.Object({
  ...rule,
  project_id: described(Type.Integer(), 'ID of the project.'),
})
export const DefaultPushRule = Type.Object(rule)

export { expressionNames }
