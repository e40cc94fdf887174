import { type Static, Type } from 'typebox'

import { STRATEGIES } from '../../database/tables/feature-flags.js'
import { described, optional } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'

const Scope = Type.Object({
  id: described(Type.Integer(), 'ID of the scope within its strategy.'),
  environment_scope: described(Type.String(), 'Environments; `*` matches any characters.'),
})

const Parameters = Type.Record(Type.String(), Type.String())

const Strategy = Type.Object({
  id: described(Type.Integer(), 'ID of the strategy.'),
  name: described(OneOf(...STRATEGIES), 'Kind of the strategy.'),
  parameters: described(Parameters, 'Parameters of the kind, such as `percentage` and `groupId`.'),
  scopes: described(Type.Array(Scope), 'Environments in which it counts.'),
  user_list: described(
    Nullable(
      Type.Object({
        id: described(Type.Integer(), 'ID of the list.'),
        iid: described(Type.Integer(), 'Number of the list within its project.'),
        name: described(Type.String(), 'Name of the list.'),
        user_xids: described(Type.String(), 'IDs of users, with commas.'),
      }),
    ),
    'Users for whom the flag is on; only of `gitlabUserList`.',
  ),
})

export const FeatureFlag = Type.Object({
  name: described(Type.String(), 'Name.'),
  description: described(NullableText, 'Description; null if there is none.'),
  active: described(Type.Boolean(), 'Whether it is on for those whom its strategies name.'),
  version: described(Type.Literal('new_version_flag'), 'Always `new_version_flag`.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
  scopes: described(Type.Array(Type.Null()), 'Always empty: strategies have scopes.'),
  strategies: described(Type.Array(Strategy), 'For whom it is on.'),
})
export type FeatureFlag = Static<typeof FeatureFlag>

const ScopeText = Type.String({ minLength: 1, maxLength: 255 })
const GivenStrategy = Type.Object({
  id: optional(Type.Integer(), 'ID of a strategy that is changed; without it, one is added.'),
  _destroy: optional(Type.Boolean(), 'Whether to delete the strategy.'),
  name: optional(OneOf(...STRATEGIES), 'Kind of the strategy; needed for a new one.'),
  parameters: optional(
    Type.Record(Type.String({ maxLength: 64 }), Type.Union([Type.String(), Type.Number()])),
    'Parameters of the kind: `percentage` and `groupId` of `gradualRolloutUserId`, `userIds` of `userWithId`, `rollout`, ' +
      '`stickiness` and `groupId` of `flexibleRollout`.',
  ),
  user_list_id: optional(Type.Integer(), 'ID of a list of users, for `gitlabUserList`.'),
  scopes: optional(
    Type.Array(
      Type.Object({
        id: optional(Type.Integer(), 'ID of a scope that is changed; without it, one is added.'),
        environment_scope: optional(ScopeText, 'Environments; `*` matches any characters.'),
        _destroy: optional(Type.Boolean(), 'Whether to delete the scope.'),
      }),
      { maxItems: 100 },
    ),
    'Environments in which it counts.',
  ),
})
const kind = described(OneOf(...STRATEGIES), 'Kind of the strategy.')
/** A strategy as a new flag has it. */
export const NewStrategy = Type.Object({ ...GivenStrategy.properties, name: kind })
export type GivenStrategy = Static<typeof GivenStrategy>

const Name = Type.String({ pattern: '^[a-z](?:[a-z0-9_-]*[a-z0-9])?$', maxLength: 63 })
const fields = {
  description: optional(Nullable(Type.String({ maxLength: 255 })), 'Description.'),
  active: optional(Type.Boolean(), 'Whether it is on; true by default.'),
  strategies: optional(Type.Array(GivenStrategy, { maxItems: 100 }), 'For whom it is on.'),
}
const FlagName = described(Type.String({ minLength: 1 }), 'Name of the feature flag.')

export const FeatureFlagName = Type.Object({ feature_flag_name: FlagName })
export const ListFeatureFlags = Type.Object({
  scope: optional(OneOf('enabled', 'disabled'), 'Whether to list only those that are on, or off.'),
})
export const NewFeatureFlag = Type.Object({
  name: described(Name, 'Name: lower-case letters, digits, `_` and `-`.'),
  version: optional(Type.Literal('new_version_flag'), 'Always `new_version_flag`.'),
  ...fields,
})
export type NewFeatureFlag = Static<typeof NewFeatureFlag>
export const EditFeatureFlag = Type.Object({
  feature_flag_name: FlagName,
  name: optional(Name, 'New name.'),
  ...fields,
})
export type EditFeatureFlag = Static<typeof EditFeatureFlag>

export const UserList = Type.Object({
  id: described(Type.Integer(), 'ID of the list.'),
  iid: described(Type.Integer(), 'Number of the list within its project.'),
  project_id: described(Type.Integer(), 'ID of the project.'),
  name: described(Type.String(), 'Name of the list.'),
  user_xids: described(Type.String(), 'IDs that the application gives its users, with commas.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
})
export type UserList = Static<typeof UserList>

const ListName = Type.String({ minLength: 1, maxLength: 255 })
const Xids = Type.String({ minLength: 1, maxLength: 100_000 })
const Iid = described(Type.Integer(), 'Number of the list within its project.')
export const UserListIid = Type.Object({ iid: Iid })
export const SearchUserLists = Type.Object({ search: optional(Type.String(), 'Text in the name.') })
export const NewUserList = Type.Object({
  name: described(ListName, 'Name of the list.'),
  user_xids: described(Xids, 'IDs that the application gives its users, with commas.'),
})
export type NewUserList = Static<typeof NewUserList>
export const EditUserList = Type.Object({
  iid: Iid,
  name: optional(ListName, 'Name of the list.'),
  user_xids: optional(Xids, 'IDs that the application gives its users, with commas.'),
})

export const FeatureFlagClient = Type.Object({
  api_url: described(Type.String(), 'Address for Unleash clients.'),
  instance_id: described(Type.String(), 'Token with which they read the flags of the project.'),
})

export const UnleashCall = Type.Object({
  project_id: described(Type.Integer(), 'ID of the project.'),
  instance_id: optional(
    Type.String(),
    'Token of the project, if it is not in the header `Unleash-InstanceId`.',
  ),
  app_name: optional(Type.String(), 'Name of the environment, if it is not in the header `Unleash-AppName`.'),
})

export const UnleashFeatures = Type.Object({
  version: described(Type.Integer(), 'Version of the format; always 1.'),
  features: described(
    Type.Array(
      Type.Object({
        name: described(Type.String(), 'Name of the flag.'),
        description: described(Type.Optional(Type.String()), 'Description, if it has one.'),
        enabled: described(Type.Boolean(), 'Whether it is on.'),
        strategies: described(
          Type.Array(
            Type.Object({
              name: described(Type.String(), 'Kind of the strategy.'),
              parameters: described(Parameters, 'Parameters of the kind.'),
            }),
          ),
          'Strategies that count in the environment.',
        ),
      }),
    ),
    'Flags with a strategy for the environment.',
  ),
})
export type UnleashFeatures = Static<typeof UnleashFeatures>
