import type { JobPayload } from '../../src/protocol/job-payload.js'

/** A small job as the coordinator sends it. */
export function jobPayload(changes: Partial<JobPayload> = {}): JobPayload {
  return {
    id: 124,
    token: 'job-token-of-124',
    allow_git_fetch: true,
    job_info: { name: 'build', stage: 'test', project_id: 7, project_name: 'app' },
    git_info: {
      repo_url: 'http://gitlab-ci-token:job-token-of-124@127.0.0.1/group/app.git',
      ref: 'main',
      sha: '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d',
    },
    runner_info: { timeout: 3600 },
    variables: [],
    steps: [{ name: 'script', script: ['echo hello'] }],
    features: { trace_sections: true, failure_reasons: ['runner_configuration_error', 'image_pull_failure'] },
    ...changes,
  }
}
