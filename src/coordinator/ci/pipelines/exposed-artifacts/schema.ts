import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'
import { OneOf } from '../../../http/parameters/types.js'

/** Artifacts that their job exposes by `artifacts:expose_as`. */
export const ExposedArtifacts = Type.Object({
  text: described(Type.String(), 'Label that the job gives them.'),
  url: described(Type.String(), 'Page that shows them.'),
  kind: described(
    OneOf('page', 'file', 'folder'),
    'Whether `url` opens them as a page of their own, shows one file, or lists a folder.',
  ),
  job_id: described(Type.Integer(), 'ID of the job.'),
  job_name: described(Type.String(), 'Name of the job.'),
})
export type ExposedArtifacts = Static<typeof ExposedArtifacts>
