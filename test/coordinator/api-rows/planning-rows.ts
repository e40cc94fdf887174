import { rowsOf } from './rows.js'

/** Labels and milestones. */
export const planningRows = rowsOf(`
  # Labels (API, G3)
  GET P/labels | include_ancestor_groups search | 200
  GET P/labels/:label_id | | 200
  POST P/labels | name color description priority | 201
  PUT P/labels/:label_id | new_name color description priority | 200
  PUT P/labels | name label_id new_name color description priority | 200
  DELETE P/labels/:label_id | | 204
  DELETE P/labels | name | 204
  PUT P/labels/:label_id/promote | | 200
  PUT P/labels/promote | name | 200
  POST P/labels/:label_id/subscribe | | 201 304
  POST P/labels/:label_id/unsubscribe | | 201 304
  GET G/labels | include_ancestor_groups include_descendant_groups only_group_labels search | 200
  GET G/labels/:label_id | | 200
  POST G/labels | name color description | 201
  PUT G/labels/:label_id | new_name color description | 200
  DELETE G/labels/:label_id | | 204
  POST G/labels/:label_id/subscribe | | 201 304
  POST G/labels/:label_id/unsubscribe | | 201 304

  # Milestones (API, G4)
  GET P/milestones | iids state title search include_parent_milestones include_ancestors updated_before updated_after | 200
  GET P/milestones/:milestone_id | | 200
  POST P/milestones | title description due_date start_date | 201
  PUT P/milestones/:milestone_id | title description due_date start_date state_event | 200
  DELETE P/milestones/:milestone_id | | 204
  POST P/milestones/:milestone_id/promote | | 200
  GET G/milestones | iids state title search include_parent_milestones include_ancestors include_descendants updated_before updated_after | 200
  GET G/milestones/:milestone_id | | 200
  POST G/milestones | title description due_date start_date | 201
  PUT G/milestones/:milestone_id | title description due_date start_date state_event | 200
  DELETE G/milestones/:milestone_id | | 204
`)
