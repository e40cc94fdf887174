import { type Static, Type } from 'typebox'

import { described, optional } from '../../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../../http/parameters/types.js'
import { SimpleProject } from '../record/schema.js'

const { id, description, name, name_with_namespace, path, path_with_namespace, created_at } =
  SimpleProject.properties

const EXPORT_STATUSES = ['none', 'queued', 'started', 'finished', 'regeneration_in_progress'] as const
export type ExportStatusName = (typeof EXPORT_STATUSES)[number]

export const ExportStatus = Type.Object({
  id,
  description,
  name,
  name_with_namespace,
  path,
  path_with_namespace,
  created_at,
  export_status: described(
    OneOf(...EXPORT_STATUSES),
    'Status: `none` if there is no archive and no request, else `queued`, `started` or `finished`; `regeneration_in_progress` while a new archive is created beside an existing one.',
  ),
  export_error: described(NullableText, 'Error of the last export; null if there was none.'),
  _links: optional(
    Type.Object({
      api_url: described(Type.String(), 'URL of the archive in the API.'),
      web_url: described(Type.String(), 'The same URL: there is no page for it.'),
    }),
    'URLs of the archive; absent while there is none.',
  ),
})
export type ExportStatus = Static<typeof ExportStatus>

export const RequestExport = Type.Object({
  description: optional(
    Nullable(Type.String({ maxLength: 2000 })),
    'Description of the project in the archive; default the present description.',
  ),
  upload: optional(
    Type.Object({
      url: optional(Type.String(), 'Must be empty: the archive is not uploaded anywhere, only downloaded.'),
      http_method: optional(OneOf('PUT', 'POST'), 'Accepted without effect.'),
    }),
    'Target of an upload; not supported.',
  ),
})
export type RequestExport = Static<typeof RequestExport>
