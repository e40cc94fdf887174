import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { Nullable, NullableText } from '../../http/parameters/types.js'

const LabelId = described(Type.String(), 'ID or name of the label.')
const LongText = Type.String({ maxLength: 1_000_000 })
const Priority = Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))

const COLOR = '`#rrggbb`, `#rgb` or a color name of CSS'

export const ById = Type.Object({ label_id: LabelId })

export const ByName = Type.Object({
  label_id: optional(Type.Integer(), 'ID of the label; either this or `name`.'),
  name: optional(Type.String(), 'Name of the label.'),
})
export type ByName = Static<typeof ByName>

export const Named = Type.Object({ name: described(Type.String(), 'Name of the label.') })

/** Parameters of which one names the label. */
export const NAMED_BY = ['label_id', 'name']

export const CreateLabel = Type.Object({
  name: described(
    Type.String(),
    'Name, without commas; unique among the labels of the project and its groups.',
  ),
  color: described(Type.String(), `Color: ${COLOR}.`),
  description: optional(Nullable(LongText), 'Description; null if there is none.'),
})
export type CreateLabel = Static<typeof CreateLabel>

const PRIORITY = optional(Priority, 'Priority in the project: 0 is the most important; null for none.')

export const CreateProjectLabel = Type.Object({ ...CreateLabel.properties, priority: PRIORITY })

const changes = {
  new_name: optional(Type.String(), 'New name.'),
  color: optional(Type.String(), `New color: ${COLOR}.`),
  description: optional(Nullable(LongText), 'New description; null for none.'),
}

/** Parameters of which an update needs one. */
export const CHANGES = Object.keys(changes)

export const LabelChanges = Type.Object({ ...changes, priority: PRIORITY })
export type LabelChanges = Static<typeof LabelChanges>

export const EditGroupLabel = Type.Object({ ...ById.properties, ...changes })
export const EditProjectLabel = Type.Object({ ...ById.properties, ...changes, priority: PRIORITY })
export const EditNamedGroupLabel = Type.Object({ ...ByName.properties, ...changes })
export const EditNamedProjectLabel = Type.Object({ ...ByName.properties, ...changes, priority: PRIORITY })

const listed = {
  include_ancestor_groups: optional(
    Type.Boolean(),
    'Whether to include labels of all groups above; default true.',
  ),
  search: optional(Type.String(), 'Text in the name or the description.'),
  with_counts: optional(
    Type.Boolean(),
    'Whether to count the issues and merge requests that the caller sees; false by default.',
  ),
}

export const ListProjectLabels = Type.Object(listed)
export const ListGroupLabels = Type.Object({
  ...listed,
  include_descendant_groups: optional(
    Type.Boolean(),
    'Whether to include labels of all groups in the group; default false.',
  ),
  only_group_labels: optional(
    Type.Boolean(),
    'Whether to leave out labels of projects. They are never listed here, so it has no effect.',
  ),
})

export const GetLabel = Type.Object({
  ...ById.properties,
  include_ancestor_groups: optional(
    Type.Boolean(),
    'Whether to look in all groups above, too; default true.',
  ),
})

/** API, G3. */
export const GroupLabel = Type.Object({
  id: described(Type.Integer(), 'ID of the label.'),
  name: described(Type.String(), 'Name.'),
  description: described(NullableText, 'Description; null if there is none.'),
  description_html: described(Type.String(), 'Description as HTML.'),
  color: described(Type.String(), 'Color: `#rrggbb` or `#rgb`.'),
  text_color: described(Type.String(), 'Color for text on the color of the label.'),
  subscribed: described(Type.Boolean(), 'Whether the caller subscribed to the label.'),
})
export type GroupLabel = Static<typeof GroupLabel>

export const ProjectLabel = Type.Object({
  ...GroupLabel.properties,
  priority: described(Nullable(Type.Integer()), 'Priority in the project; null if there is none.'),
  is_project_label: described(Type.Boolean(), 'Whether it is a label of the project, not of a group.'),
})
export type ProjectLabel = Static<typeof ProjectLabel>

const counts = {
  open_issues_count: described(
    Type.Optional(Type.Integer()),
    'Number of open issues; only with `with_counts`.',
  ),
  closed_issues_count: described(
    Type.Optional(Type.Integer()),
    'Number of closed issues; only with `with_counts`.',
  ),
  open_merge_requests_count: described(
    Type.Optional(Type.Integer()),
    'Number of open merge requests; only with `with_counts`.',
  ),
}

export const ListedGroupLabel = Type.Object({ ...GroupLabel.properties, ...counts })
export const ListedProjectLabel = Type.Object({ ...ProjectLabel.properties, ...counts })
export type ListedProjectLabel = Static<typeof ListedProjectLabel>
