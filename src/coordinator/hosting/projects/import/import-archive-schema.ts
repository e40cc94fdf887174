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

/** Settings that come with an archive, or in the place of those. */
export const TransferredSettings = Type.Object(settings)
export type TransferredSettings = Static<typeof TransferredSettings>

const Name = Type.String({ minLength: 1, maxLength: 255 })

export const ImportArchive = Type.Object({
  file: FileParameter({
    maxBytes: MAX_ARCHIVE_BYTES,
    description: 'The archive, as an export of a project makes it; at most 5 GiB.',
  }),
  path: described(Name, 'Last part of the address that the project gets.'),
  name: optional(Name, 'What people call it; default: the path.'),
  namespace: optional(Type.String(), 'Number or address of the namespace; default: that of the caller.'),
  overwrite: optional(
    Type.Boolean(),
    'Whether it takes the place of a project of this address, which is deleted when all is there; until then the new one has another address. Default false.',
  ),
  override_params: optional(
    TransferredSettings,
    'Settings that count more than those of the archive, as `PUT /projects/:id` takes them.',
  ),
})
export type ImportArchive = Static<typeof ImportArchive>

const FailedRelation = Type.Object({
  id: described(Type.Integer(), 'Number of the problem.'),
  created_at: described(DateTime(), 'When it was found.'),
  exception_class: described(Type.String(), 'Always `ImportError`.'),
  exception_message: described(Type.String(), 'What the same request over the API would have been told.'),
  source: described(Type.String(), 'Always `archive`.'),
  relation_name: described(Type.String(), 'What the record is one of, such as `releases`.'),
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
    '`git`, `fork` or, of an archive, `gitlab_project`; null = it was not imported.',
  ),
  import_error: described(NullableText, 'Why it failed; null = it did not.'),
  correlation_id: described(NullableText, 'Always null.'),
  failed_relations: described(
    Type.Array(FailedRelation),
    'The first hundred records of the archive that could not be made again.',
  ),
  stats: described(Type.Null(), 'Always null.'),
})
export type ImportStatus = Static<typeof ImportStatus>
