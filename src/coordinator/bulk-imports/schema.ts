import { type Static, Type } from 'typebox'

import { described, flag, optional, text } from '../http/parameters/described.js'
import { DateTime, Nullable, NullableText, OneOf } from '../http/parameters/types.js'

const Id = Type.Integer()
/** Longest full path of a group or project, in characters. */
export const MAX_PATH_LENGTH = 600
const Path = Type.String({ minLength: 1, maxLength: MAX_PATH_LENGTH })
const Status = OneOf('created', 'started', 'finished', 'failed', 'canceled')
const SourceType = OneOf('group_entity', 'project_entity')

export const ImportId = Type.Object({ import_id: described(Id, 'ID of the import.') })

export const EntityId = Type.Object({
  ...ImportId.properties,
  entity_id: described(Id, 'ID of the group or project in the import.'),
})

export const ListImports = Type.Object({ status: optional(Status, 'Status; all by default.') })

/** Maximum number of requested groups and projects; what is in the groups is added. */
const MAX_REQUESTED = 100

export const StartImport = Type.Object({
  configuration: described(
    Type.Object({
      url: described(
        Type.String({ maxLength: 2048 }),
        'Address of the source, such as `https://gitlab.example.com`.',
      ),
      access_token: described(
        Type.String({ minLength: 1, maxLength: 1024 }),
        'Personal access token of the source, with the scopes `read_api` and `read_repository`. It is stored encrypted, and deleted when the import ends.',
      ),
    }),
    'The server from which to import.',
  ),
  entities: described(
    Type.Array(
      Type.Object({
        source_type: described(SourceType, 'Whether it is a group or a project.'),
        source_full_path: described(Path, 'Full path on the source.'),
        destination_slug: optional(
          Type.String({ minLength: 1, maxLength: 255 }),
          'Path of the copy, without its namespace; that of the source by default.',
        ),
        destination_name: optional(Type.String({ maxLength: 255 }), 'Older name of `destination_slug`.'),
        destination_namespace: optional(
          Type.String({ maxLength: 2000 }),
          'Full path of the namespace of the copy; empty for the top level.',
        ),
        migrate_projects: optional(
          Type.Boolean(),
          'Whether to import the projects of a group; true by default.',
        ),
        migrate_memberships: optional(Type.Boolean(), 'Whether to import members; true by default.'),
      }),
      { minItems: 1, maxItems: MAX_REQUESTED },
    ),
    'The groups and projects to import. Groups are imported with their subgroups.',
  ),
  dry_run: optional(
    Type.Boolean(),
    'Whether to change nothing, and only report what would be imported; false by default.',
  ),
})
export type StartImport = Static<typeof StartImport>

export const BulkImport = Type.Object({
  id: described(Id, 'ID of the import.'),
  status: described(Status, 'Status.'),
  source_type: text('Always `gitlab`.'),
  source_url: text('Address of the source.'),
  dry_run: flag('Whether it changes nothing.'),
  error: described(NullableText, 'Why the whole import failed; null if it did not.'),
  has_failures: flag('Whether something could not be imported.'),
  created_at: described(DateTime(), 'Time of the request.'),
  updated_at: described(DateTime(), 'Time of the last change.'),
})
export type BulkImport = Static<typeof BulkImport>

const Outcomes = {
  imported: described(Type.Integer(), 'Number of those that were imported, or would be.'),
  present: described(Type.Integer(), 'Number of those that were there already.'),
  left_out: described(Type.Integer(), 'Number of those that are not imported.'),
  failed: described(Type.Integer(), 'Number of those that could not be imported.'),
}

export const ReportCount = Type.Object({
  kind: text('Kind, such as `issues`.'),
  ...Outcomes,
})
export type ReportCount = Static<typeof ReportCount>

export const Failure = Type.Object({
  relation: text('Kind of the object, such as `issues`.'),
  exception_class: text('Always `BulkImportError`.'),
  exception_message: text('Why it could not be imported.'),
  correlation_id_value: described(Type.Null(), 'Always null.'),
  source_url: text('Address of the source.'),
  source_title: described(NullableText, 'Name of the object; null if it has none.'),
  created_at: described(DateTime(), 'Time of the attempt.'),
})
export type Failure = Static<typeof Failure>

export const Entity = Type.Object({
  id: described(Id, 'ID of the group or project in the import.'),
  bulk_import_id: described(Id, 'ID of the import.'),
  status: described(Status, 'Status.'),
  entity_type: described(OneOf('group', 'project'), 'Whether it is a group or a project.'),
  source_full_path: text('Full path on the source.'),
  destination_full_path: text('Full path of the copy.'),
  destination_name: text('Path of the copy, without its namespace.'),
  destination_slug: text('Path of the copy, without its namespace.'),
  destination_namespace: text('Full path of the namespace of the copy; empty for the top level.'),
  parent_id: described(Nullable(Id), 'ID of the group in which it was found; null if it was requested.'),
  namespace_id: described(Nullable(Id), 'ID of the new group; null if there is none.'),
  project_id: described(Nullable(Id), 'ID of the new project; null if there is none.'),
  step: described(NullableText, 'What is being imported, such as `issues`; null before the beginning.'),
  error: described(NullableText, 'Why it could not be imported; null if it could.'),
  migrate_projects: flag('Whether the projects of a group are imported.'),
  migrate_memberships: flag('Whether members are imported.'),
  has_failures: flag('Whether something in it could not be imported.'),
  failures: described(Type.Array(Failure), 'Empty: see `/failures`.'),
  stats: described(
    Type.Record(
      Type.String(),
      Type.Object({
        source: described(Type.Integer(), 'Number on the source, as far as it was read.'),
        fetched: described(Type.Integer(), 'Number of those that were read.'),
        imported: described(Type.Integer(), 'Number of those that were imported.'),
      }),
    ),
    'Numbers of objects by kind.',
  ),
  created_at: described(DateTime(), 'Time at which it was found.'),
  updated_at: described(DateTime(), 'Time of the last change.'),
})
export type Entity = Static<typeof Entity>

export const ReportOptions = Type.Object({
  ...ImportId.properties,
  format: optional(OneOf('json', 'text'), 'Format; `json` by default.'),
})

const ReportItem = Type.Object({
  entity_id: described(Id, 'ID of the group or project in the import.'),
  kind: text('Kind of the object, such as `variables`.'),
  name: described(NullableText, 'Name of the object; null for a whole list.'),
  outcome: described(OneOf('imported', 'present', 'left_out', 'failed'), 'What became of it.'),
  reason: text('Why it was not imported, and what to do.'),
})

export const Report = Type.Object({
  ...BulkImport.properties,
  totals: described(Type.Array(ReportCount), 'Numbers of objects of the whole import.'),
  entities: described(
    Type.Array(
      Type.Object({
        id: described(Id, 'ID of the group or project in the import.'),
        entity_type: Entity.properties.entity_type,
        source_full_path: Entity.properties.source_full_path,
        destination_full_path: Entity.properties.destination_full_path,
        status: Entity.properties.status,
        step: Entity.properties.step,
        error: Entity.properties.error,
        counts: described(Type.Array(ReportCount), 'Numbers of objects by kind.'),
      }),
    ),
    'The groups and projects.',
  ),
  items: described(
    Type.Array(ReportItem),
    'The first 2,000 objects that were not imported, with the reason.',
  ),
  has_more_items: flag('Whether there are more of them.'),
  never_imported: described(Type.Array(Type.String()), 'What no import takes over.'),
})
export type Report = Static<typeof Report>
