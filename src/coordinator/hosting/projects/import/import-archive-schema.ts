import { type Static, Type } from 'typebox'

import { described, optional } from '../../../http/parameters/described.js'
import { DateTime, FileParameter, NullableText } from '../../../http/parameters/types.js'
import { SimpleProject } from '../record/schema.js'
import { EditProject } from '../settings/parameters.js'
import { MAX_ARCHIVE_BYTES } from './archive-limits.js'

const {
  name: _name,
  path: _path,
  avatar: _avatar,
  default_branch: _branch,
  mirror: _mirror,
  repository_storage: _storage,
  ...settings
} = EditProject.properties

/** Settings of an archive, or settings that override them. */
export const TransferredSettings = Type.Object(settings)
export type TransferredSettings = Static<typeof TransferredSettings>

const Name = Type.String({ minLength: 1, maxLength: 255 })

export const ImportArchive = Type.Object({
  file: FileParameter({
    maxBytes: MAX_ARCHIVE_BYTES,
    description: 'Archive of an exported project; at most 5 GiB.',
  }),
  path: described(Name, 'Path of the new project, without its namespace.'),
  name: optional(Name, 'Name of the new project; default the path.'),
  namespace: optional(Type.String(), 'ID or path of the namespace; default that of the caller.'),
  overwrite: optional(
    Type.Boolean(),
    'Whether to replace an existing project with this path, which is deleted when the import is complete; until then the new project has another path. Default false.',
  ),
  override_params: optional(
    TransferredSettings,
    'Settings that override those of the archive, as parameters of `PUT /projects/:id`.',
  ),
})
export type ImportArchive = Static<typeof ImportArchive>

const FailedRelation = Type.Object({
  id: described(Type.Integer(), 'ID of the error.'),
  created_at: described(DateTime(), 'Time of the error.'),
  exception_class: described(Type.String(), 'Always `ImportError`.'),
  exception_message: described(Type.String(), 'Error that the same request to the API would have returned.'),
  source: described(Type.String(), 'Always `archive`.'),
  relation_name: described(Type.String(), 'Type of the record, such as `releases`.'),
  line_number: described(Type.Integer(), 'Line of the record in its file of the archive, from 1.'),
})

const shown = SimpleProject.properties

export const ImportStatus = Type.Object({
  id: shown.id,
  description: shown.description,
  name: shown.name,
  name_with_namespace: shown.name_with_namespace,
  path: shown.path,
  path_with_namespace: shown.path_with_namespace,
  created_at: shown.created_at,
  import_status: described(Type.String(), '`none`, `scheduled`, `started`, `finished` or `failed`.'),
  import_type: described(
    NullableText,
    'Type of the import: `git`, `fork` or, for an archive, `gitlab_project`; null if the project was not imported.',
  ),
  import_error: described(NullableText, 'Error of the import; null if there was none.'),
  correlation_id: described(NullableText, 'Always null.'),
  failed_relations: described(
    Type.Array(FailedRelation),
    'The first hundred records of the archive that could not be imported.',
  ),
  stats: described(Type.Null(), 'Always null.'),
})
export type ImportStatus = Static<typeof ImportStatus>
