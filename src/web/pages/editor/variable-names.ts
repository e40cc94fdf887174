import type { Proposal } from './keyword-help.js'
import { variablesInFile } from './yaml-position.js'

/** Variables that rules and scripts ask for most, and what each is. */
const PREDEFINED: Record<string, string> = {
  CI_COMMIT_AUTHOR: 'Author of the commit, as “Name <address>”.',
  CI_COMMIT_BEFORE_SHA: 'Commit of the branch before the push.',
  CI_COMMIT_BRANCH: 'Branch; not set for tags and merge requests.',
  CI_COMMIT_MESSAGE: 'Whole message of the commit.',
  CI_COMMIT_REF_NAME: 'Branch or tag.',
  CI_COMMIT_REF_PROTECTED: '`true` on a protected branch or tag.',
  CI_COMMIT_REF_SLUG: 'Branch or tag in lower case, fit for host names.',
  CI_COMMIT_SHA: 'Commit.',
  CI_COMMIT_SHORT_SHA: 'First eight digits of the commit.',
  CI_COMMIT_TAG: 'Tag; not set for branches.',
  CI_COMMIT_TITLE: 'First line of the message of the commit.',
  CI_DEFAULT_BRANCH: 'Default branch of the project.',
  CI_ENVIRONMENT_NAME: 'Environment of the job.',
  CI_JOB_ID: 'ID of the job.',
  CI_JOB_NAME: 'Name of the job.',
  CI_JOB_TOKEN: 'Token that lets the job into the API and repositories.',
  CI_MERGE_REQUEST_IID: 'Number of the merge request.',
  CI_MERGE_REQUEST_LABELS: 'Labels of the merge request, separated by commas.',
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'Source branch of the merge request.',
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'Target branch of the merge request.',
  CI_OPEN_MERGE_REQUESTS: 'Open merge requests of the branch.',
  CI_PIPELINE_ID: 'ID of the pipeline.',
  CI_PIPELINE_SOURCE: 'Event: `push`, `merge_request_event`, `schedule`, `web`, `api`, `trigger` and others.',
  CI_PROJECT_DIR: 'Folder with the files of the project.',
  CI_PROJECT_NAME: 'Last part of the path of the project.',
  CI_PROJECT_PATH: 'Path of the project, with its group.',
  GITLAB_USER_LOGIN: 'Name of the user who started the pipeline.',
}

/**
 * The variables that may be written after a dollar sign: those of the file first.
 * @param before the line up to the cursor
 * @returns the beginning of a name, and what it may become; undefined where no variable begins
 */
export function variablesAt(
  before: string,
  text: string,
): { word: string; proposals: Proposal[] } | undefined {
  const word = /\$\{?(\w*)$/.exec(before)?.[1]
  if (word === undefined) return undefined
  const own = variablesInFile(text).filter((name) => !(name in PREDEFINED))
  return {
    word,
    proposals: [
      ...own.map((label) => ({ label, info: 'Set in this file.' })),
      ...Object.entries(PREDEFINED).map(([label, info]) => ({ label, info })),
    ],
  }
}
