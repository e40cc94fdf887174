import { type Static, Type } from 'typebox'

import { described, flag } from '../../http/parameters/described.js'
import { DateOnly, Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'
import { EpicLinkType } from './schema.js'

const Day = Nullable(DateOnly())

/** API, F5. */
export const Epic = Type.Object({
  id: described(Type.Integer(), 'ID of the epic.'),
  iid: described(Type.Integer(), 'Number of the epic within its group.'),
  group_id: described(Type.Integer(), 'ID of the group.'),
  parent_id: described(
    Nullable(Type.Integer()),
    'ID of the epic of which it is a child; null if there is none that the caller may see.',
  ),
  parent_iid: described(
    Nullable(Type.Integer()),
    'Number of the epic of which it is a child, within the group of that epic; null as `parent_id`.',
  ),
  title: described(Type.String(), 'Title.'),
  description: described(NullableText, 'Description in Markdown; null if there is none.'),
  state: described(OneOf('opened', 'closed'), 'State.'),
  confidential: flag('Whether only some members see it; always false.'),
  author: described(Nullable(PublicUser), 'Author.'),
  labels: described(Type.Array(Type.String()), 'Names of labels; always empty.'),
  upvotes: described(Type.Integer(), 'Number of approving emoji; always 0.'),
  downvotes: described(Type.Integer(), 'Number of disapproving emoji; always 0.'),
  start_date: described(Day, 'First day; null if there is none.'),
  start_date_is_fixed: flag('Whether the first day was set; false if there is none.'),
  start_date_fixed: described(Day, 'First day that was set; null if there is none.'),
  start_date_from_inherited_source: described(Day, 'First day from milestones and children; always null.'),
  due_date: described(Day, 'Day on which it is due; null if there is none.'),
  due_date_is_fixed: flag('Whether the due date was set; false if there is none.'),
  due_date_fixed: described(Day, 'Due date that was set; null if there is none.'),
  due_date_from_inherited_source: described(Day, 'Due date from milestones and children; always null.'),
  end_date: described(Day, 'Deprecated name of `due_date`.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
  closed_at: described(NullableText, 'Time at which it was closed; null for an open epic.'),
  web_url: described(Type.String(), 'URL of the epic page.'),
  references: described(
    Type.Object({
      short: described(Type.String(), 'Reference in texts of the group: `&3`.'),
      relative: described(Type.String(), 'Reference in texts of the group of the path: `&3` or `group&3`.'),
      full: described(Type.String(), 'Reference in all texts: `group&3`.'),
    }),
    'References to the epic in texts.',
  ),
  _links: described(
    Type.Object({
      self: described(Type.String(), 'URL of this record.'),
      epic_issues: described(Type.String(), 'URL of its issues.'),
      group: described(Type.String(), 'URL of its group.'),
      parent: described(NullableText, 'URL of the epic of which it is a child; null as `parent_id`.'),
    }),
    'Related URLs.',
  ),
})
export type Epic = Static<typeof Epic>

/** An epic that another one is linked to. */
export const RelatedEpic = Type.Object({
  ...Epic.properties,
  related_epic_link_id: described(Type.Integer(), 'ID of the link.'),
  link_type: described(EpicLinkType, 'What the epic of the path does to this one.'),
  link_created_at: described(Type.String(), 'Time of creation of the link.'),
  link_updated_at: described(Type.String(), 'Time of the last change of the link.'),
})
export type RelatedEpic = Static<typeof RelatedEpic>
