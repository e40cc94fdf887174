interface Target {
  /** Address of the repository. */
  url: string
  /** Name of the folder that a clone creates. */
  folder: string
}

export interface PushCommands {
  title: string
  text: string
}

const BRANCH = 'main'

/** What to type to push the first commit, by what one already has. */
export function pushCommands({ url, folder }: Target): PushCommands[] {
  return [
    {
      title: 'A new folder',
      text: [
        `git clone ${url}`,
        `cd ${folder}`,
        `git switch --create ${BRANCH}`,
        'touch README.md',
        'git add README.md',
        'git commit --message "Add README"',
        `git push --set-upstream origin ${BRANCH}`,
      ].join('\n'),
    },
    {
      title: 'An existing folder',
      text: [
        'cd existing-folder',
        `git init --initial-branch=${BRANCH}`,
        `git remote add origin ${url}`,
        'git add .',
        'git commit --message "Initial commit"',
        `git push --set-upstream origin ${BRANCH}`,
      ].join('\n'),
    },
    {
      title: 'An existing repository',
      text: [
        'cd existing-repository',
        'git remote rename origin old-origin',
        `git remote add origin ${url}`,
        'git push --set-upstream origin --all',
        'git push origin --tags',
      ].join('\n'),
    },
  ]
}
