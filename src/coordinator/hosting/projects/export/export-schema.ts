import { type Static, Type } from 'typebox'

import { described, optional } from '../../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../../http/parameters/types.js'
import { SimpleProject } from '../record/schema.js'

const { id, description, name, name_with_namespace, path, path_with_namespace, created_at } =
  SimpleProject.properties

export const EXPORT_STATUSES = ['none', 'queued', 'started', 'finished', 'regeneration_in_progress'] as const
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
    'How far the archive is: `none` is there or asked for, it is `queued`, `started` or `finished`; `regeneration_in_progress` = one is there, and a newer one is being made.',
  ),
  export_error: described(NullableText, 'Why the last one could not be made; null = it could.'),
  _links: optional(
    Type.Object({
      api_url: described(Type.String(), 'Where the archive is downloaded.'),
      web_url: described(Type.String(), 'The same: there is no page for it.'),
    }),
    'Where the archive is; absent while there is none.',
  ),
})
export type ExportStatus = Static<typeof ExportStatus>

export const RequestExport = Type.Object({
  description: optional(
    Nullable(Type.String({ maxLength: 2000 })),
    'What the project is described as in the archive; default: as it is.',
  ),
  upload: optional(
    Type.Object({
      url: optional(Type.String(), 'Refused unless empty: the archive is not sent anywhere, but downloaded.'),
      http_method: optional(OneOf('PUT', 'POST'), 'Accepted; nothing is sent.'),
    }),
    'Where the archive would be sent to.',
  ),
})
export type RequestExport = Static<typeof RequestExport>
