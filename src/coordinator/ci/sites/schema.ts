import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { NullableText } from '../../http/parameters/types.js'

const SiteDeployment = Type.Object({
  created_at: described(Type.String(), 'Time at which the job has published it.'),
  url: described(Type.String(), 'Address.'),
  path_prefix: described(
    NullableText,
    'Path of a preview below the address of the site; null for the main site.',
  ),
  root_directory: described(Type.String(), 'Folder of the artifacts that is published.'),
  expires_at: described(NullableText, 'Time at which it is deleted; null if it is kept.'),
  size: described(Type.Integer(), 'Size of the archive, in bytes.'),
  job_id: described(Type.Union([Type.Integer(), Type.Null()]), 'ID of the job; null after it was deleted.'),
})

const FailedDeployment = Type.Object({
  created_at: described(Type.String(), 'Time at which the job has ended.'),
  job_id: described(Type.Union([Type.Integer(), Type.Null()]), 'ID of the job; null after it was deleted.'),
  problem: described(Type.String(), 'Why nothing was published.'),
})

/** The sites of a project. */
export const Site = Type.Object({
  url: described(Type.String(), 'Address of the main site.'),
  is_unique_domain_enabled: described(Type.Boolean(), 'Always false: a project has no host name of its own.'),
  force_https: described(Type.Boolean(), 'Whether the address is one of HTTPS.'),
  deployments: described(Type.Array(SiteDeployment), 'What is published, the main site first.'),
  primary_domain: described(NullableText, 'Always null.'),
  failed: described(
    Type.Array(FailedDeployment),
    'The latest jobs whose site was not published (beyond the reference).',
  ),
})
export type Site = Static<typeof Site>

export const DeletedSites = Type.Object({
  path_prefix: optional(
    Type.String(),
    'Deletes the preview at this path alone; empty for the main site (beyond the reference). By default, all are deleted.',
  ),
})
