import { rowsOf } from './rows.js'

/** Issues, labels and milestones. */
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

  # Issues (API, F2)
  GET /issues | state author_id author_username assignee_id assignee_username labels milestone weight iids issue_type search in confidential due_date created_after created_before updated_after updated_before not scope order_by sort with_labels_details non_archived | 200
  GET G/issues | state author_id author_username assignee_id assignee_username labels milestone weight iids issue_type search in confidential due_date created_after created_before updated_after updated_before not scope order_by sort with_labels_details non_archived | 200
  GET P/issues | state author_id author_username assignee_id assignee_username labels milestone weight iids issue_type search in confidential due_date created_after created_before updated_after updated_before not scope order_by sort with_labels_details | 200
  GET /issues_statistics | state author_id author_username assignee_id assignee_username labels milestone weight iids issue_type search in confidential due_date created_after created_before updated_after updated_before not scope | 200
  GET G/issues_statistics | state author_id author_username assignee_id assignee_username labels milestone weight iids issue_type search in confidential due_date created_after created_before updated_after updated_before not scope | 200
  GET P/issues_statistics | state author_id author_username assignee_id assignee_username labels milestone weight iids issue_type search in confidential due_date created_after created_before updated_after updated_before not scope | 200
  GET /issues/:id | | 200
  GET P/issues/:issue_iid | | 200
  POST P/issues | title description assignee_ids assignee_id milestone_id labels created_at due_date confidential discussion_locked iid weight issue_type | 201
  PUT P/issues/:issue_iid | title description state_event assignee_ids assignee_id milestone_id labels add_labels remove_labels due_date confidential discussion_locked updated_at weight issue_type | 200
  DELETE P/issues/:issue_iid | | 204
  PUT P/issues/:issue_iid/reorder | move_after_id move_before_id | 200
  POST P/issues/:issue_iid/move | to_project_id | 201
  POST P/issues/:issue_iid/subscribe | | 201 304
  POST P/issues/:issue_iid/unsubscribe | | 201 304
  POST P/issues/:issue_iid/time_estimate | duration | 200
  POST P/issues/:issue_iid/reset_time_estimate | | 200
  POST P/issues/:issue_iid/add_spent_time | duration | 201
  POST P/issues/:issue_iid/reset_spent_time | | 200
  GET P/issues/:issue_iid/time_stats | | 200
  GET P/issues/:issue_iid/participants | | 200
  GET P/issues/:issue_iid/user_agent_detail | | 200
  GET P/issues/:issue_iid/links | | 200
  POST P/issues/:issue_iid/links | target_project_id target_issue_iid link_type | 201
  DELETE P/issues/:issue_iid/links/:issue_link_id | | 200

  # Milestones (API, G4)
  GET P/milestones | iids state title search include_parent_milestones include_ancestors updated_before updated_after | 200
  GET P/milestones/:milestone_id | | 200
  POST P/milestones | title description due_date start_date | 201
  PUT P/milestones/:milestone_id | title description due_date start_date state_event | 200
  DELETE P/milestones/:milestone_id | | 204
  POST P/milestones/:milestone_id/promote | | 200
  GET P/milestones/:milestone_id/issues | | 200
  GET G/milestones/:milestone_id/issues | | 200
  GET G/milestones | iids state title search include_parent_milestones include_ancestors include_descendants updated_before updated_after | 200
  GET G/milestones/:milestone_id | | 200
  POST G/milestones | title description due_date start_date | 201
  PUT G/milestones/:milestone_id | title description due_date start_date state_event | 200
  DELETE G/milestones/:milestone_id | | 204
`)
