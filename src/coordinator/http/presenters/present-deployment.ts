import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'

import { described } from '../parameters/described.js'
import { Nullable, NullableText } from '../parameters/types.js'
import { PublicUser } from './present-user.js'

/** The environment as deployments embed it. */
export const EnvironmentBrief = Type.Object({
  id: described(Type.Integer(), 'Number of the environment.'),
  name: described(Type.String(), 'Name, such as `production` or `review/feature`.'),
  slug: described(Type.String(), 'The name in a form that suits a host name.'),
  external_url: described(NullableText, 'URL of the environment; null if not set.'),
})
export type EnvironmentBrief = Static<typeof EnvironmentBrief>

/** A deployment (API, I8). Operations describe its job (`withJob`). */
export const Deployment = Type.Object({
  id: described(Type.Integer(), 'Number of the deployment.'),
  iid: described(Type.Integer(), 'ID within the project.'),
  ref: described(Type.String(), 'Branch or tag that was deployed.'),
  sha: described(Type.String(), 'Id of the commit that was deployed.'),
  created_at: described(Type.String(), 'When it was created: ISO 8601, UTC.'),
  updated_at: described(Type.String(), 'When it last changed: ISO 8601, UTC.'),
  status: described(Type.String(), '`created`, `running`, `success`, `failed` or `canceled`, for example.'),
  user: described(Nullable(PublicUser), 'User who deployed; null for a deleted account.'),
  environment: described(Type.Object(EnvironmentBrief.properties), 'The place that it is in.'),
  deployable: Type.Unknown(),
})
export type Deployment = Static<typeof Deployment>

/** The record with a description of its job, which is unknown here. */
export function withJob<Fields extends TProperties>({ properties }: TObject<Fields>, job: TSchema) {
  return Type.Object({
    ...properties,
    deployable: described(
      Nullable(job),
      'Job of the deployment; null if it was created through the API or the job is deleted.',
    ),
  })
}
