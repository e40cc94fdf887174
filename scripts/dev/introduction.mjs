/**
 * What `npm run dev` prints when it serves.
 * @param {{ signInLink: string, names: string[], password: string }} accounts
 */
export function introductionOf({ signInLink, names, password }) {
  return [
    '',
    'Open this link to sign in as root. It works once:',
    '',
    `  ${signInLink}`,
    '',
    `Sign in again as ${names.slice(0, 4).join(', ')} or another member of the demo with the password ${password}`,
    'Changes below src/ are served as soon as they are saved. Ctrl-C ends all processes.',
    '',
  ].join('\n')
}
