import { type Static, Type } from 'typebox'

import { HOOK_TRIGGERS } from '../../database/tables/webhooks.js'
import { described, flag, optional } from '../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../http/parameters/types.js'
import { KINDS, type Property } from './kinds.js'

const Branches = OneOf('all', 'default', 'protected', 'default_and_protected')
const Text = Nullable(Type.String({ maxLength: 10_000 }))

const SCHEMAS = {
  text: Text,
  secret: Text,
  url: Text,
  flag: Nullable(Type.Boolean()),
  integer: Nullable(Type.Integer({ minimum: 0, maximum: 65_535 })),
  branches: Nullable(Branches),
}

/** All properties of all kinds; those of one name have one kind of value. */
const properties: Record<string, Property['kind']> = Object.fromEntries(
  KINDS.flatMap((kind) => [
    ...Object.entries(kind.properties).map(([name, { kind: value }]) => [name, value] as const),
    ...Object.entries(kind.renamed).map(
      ([alias, name]) => [alias, kind.properties[name]?.kind ?? 'text'] as const,
    ),
  ]),
)

const Slug = { slug: described(Type.String(), 'Kind of the integration: `slack`.') }

export const BySlug = Type.Object(Slug)

export const SetIntegration = Type.Object({
  ...Slug,
  active: optional(Type.Boolean(), 'Whether it is active; true by default.'),
  use_inherited_settings: optional(Type.Boolean(), 'Without effect: nothing is inherited.'),
  ...Object.fromEntries(
    HOOK_TRIGGERS.map((name) => [
      name,
      optional(Type.Boolean(), `Whether it gets events of the kind \`${name}\`.`),
    ]),
  ),
  confidental_note_events: optional(Type.Boolean(), 'Misspelt name of `confidential_note_events`.'),
  commit_events: optional(Type.Boolean(), 'Whether it gets commits.'),
  comment_on_event_enabled: optional(Type.Boolean(), 'Whether it comments at the other service.'),
  ...Object.fromEntries(
    Object.entries(properties).map(([name, kind]) => [
      name,
      optional(SCHEMAS[kind], `Property \`${name}\` of some kinds.`),
    ]),
  ),
})

const listed = {
  id: described(Nullable(Type.Integer()), 'ID; null if it was never set.'),
  title: described(Type.String(), 'Name of the service.'),
  slug: described(Type.String(), 'Kind.'),
  created_at: described(Nullable(DateTime()), 'Time of creation.'),
  updated_at: described(Nullable(DateTime()), 'Time of the last change.'),
  active: flag('Whether it is active.'),
  inherited: flag('Always false.'),
  ...Object.fromEntries(
    HOOK_TRIGGERS.map((name) => [name, flag(`Whether it gets events of the kind \`${name}\`.`)]),
  ),
  commit_events: flag('Whether it gets commits.'),
  comment_on_event_enabled: flag('Whether it comments at the other service.'),
  incident_events: flag('Always false.'),
  alert_events: flag('Always false.'),
  vulnerability_events: flag('Always false.'),
}

/** An integration that projects can have, and what it is set with. */
export const IntegrationKind = Type.Object({
  slug: described(Type.String(), 'Kind, as in the paths of integrations.'),
  title: described(Type.String(), 'Name of the service.'),
  properties: described(
    Type.Array(
      Type.Object({
        name: described(Type.String(), 'Name of the property.'),
        kind: described(OneOf('text', 'secret', 'url', 'flag', 'integer', 'branches'), 'Kind of its value.'),
        required: flag('Whether the integration needs it.'),
      }),
    ),
    'Properties, in the order of a form.',
  ),
  events: described(Type.Array(Type.String()), 'Flags of the events that it can get.'),
  sends: flag('Whether it sends events, and can be tested.'),
  discontinued: flag('Whether the service was shut down.'),
})
export type IntegrationKind = Static<typeof IntegrationKind>

export const ListedIntegration = Type.Object(listed)
export const Integration = Type.Object({
  ...listed,
  properties: described(Type.Record(Type.String(), Type.Unknown()), 'Values that are no secrets, by name.'),
})
export type Integration = Static<typeof Integration>
export type ListedIntegration = Static<typeof ListedIntegration>
