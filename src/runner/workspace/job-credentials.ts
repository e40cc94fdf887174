/** A setting of git. */
export interface GitSetting {
  key: string
  value: string
}

/**
 * The setting by which git in a job gives the token of the job to the server of its repository, and to no other. The token
 * is not in it: git's helper takes it from the environment of the job, so it ends with the job and is in no file. Undefined
 * for a repository without credentials.
 */
export function credentialHelper(repoUrl: string): (GitSetting & { origin: string }) | undefined {
  const url = URL.canParse(repoUrl) ? new URL(repoUrl) : undefined
  if (!url || url.password === '' || !/^https?:$/.test(url.protocol)) return undefined
  const user = /^[\w.-]+$/.test(url.username) ? url.username : 'gitlab-ci-token'
  return { origin: url.origin, key: `credential.${url.origin}.helper`, value: helperFor(user) }
}

/** Git runs it with a shell, and asks it to store and to erase as well. */
function helperFor(user: string): string {
  const lines = `echo username=${user}; echo "password=$CI_JOB_TOKEN"`
  return `!f() { if test "$1" = get && test -n "$CI_JOB_TOKEN"; then ${lines}; fi; }; f`
}

/**
 * The environment for git in a job. Git may find its files owned by the user of the runner, and reads objects in the same way
 * as the runner's git, whatever replacement refs a job fetches. It never waits for somebody who enters a password. Git before
 * 2.31 ignores `GIT_CONFIG_COUNT`; the repository of the job has the credential helper too.
 */
export function gitEnvironmentOfJob(repoUrl: string | undefined): Record<string, string> {
  const helper = repoUrl === undefined ? undefined : credentialHelper(repoUrl)
  const settings = [{ key: 'safe.directory', value: '*' }, ...(helper ? [helper] : [])]
  return {
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(({ key, value }, index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GCM_INTERACTIVE: 'Never',
  }
}
