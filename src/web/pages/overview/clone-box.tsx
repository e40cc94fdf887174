import { Download, Key } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf, encodePath } from '../../../addresses/address-of.js'
import { boot } from '../../api/boot.js'
import { useLoaded } from '../../frame/use-loaded.js'
import { Button } from '../../kit/button.js'
import { Popover } from '../../kit/popover.js'
import { CopyField } from '../../records/copy-field.js'
import styles from './clone-box.module.css'
import type { ShownProject } from './shown-project.js'

const FORMATS = ['zip', 'tar.gz', 'tar.bz2', 'tar']

/** Addresses to clone the repository from, and its archives. */
export function CloneBox({ project }: { project: ShownProject }) {
  const { http_url_to_repo: http, ssh_url_to_repo: ssh, default_branch: branch } = project
  const [isMakingToken, setMakingToken] = useState(false)
  return (
    <>
      <Popover label="Clone" icon={Download}>
        <div class={styles['box']}>
          <CopyField label={`Clone with ${http.startsWith('https:') ? 'HTTPS' : 'HTTP'}`} value={http} />
          {boot.serves_ssh && <CopyField label="Clone with SSH" value={ssh} />}
          {boot.user && (
            <div class={styles['note']}>
              <p>
                Git asks for your user name, <code>{boot.user.username}</code>, and an{' '}
                <a href={addressOf('account/tokens', {})}>access token</a> as the password.
              </p>
              <Button size="small" icon={Key} onClick={() => setMakingToken(true)}>
                Create a token to clone
              </Button>
            </div>
          )}
          {branch !== null && (
            <div>
              <h2 class={styles['heading']}>Download source code</h2>
              <ul class={styles['formats']}>
                {FORMATS.map((format) => (
                  <li key={format}>
                    <a download href={archiveAddress(project, branch, format)}>
                      {format}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
      </Popover>
      {isMakingToken && <TokenDialog project={project} onClose={() => setMakingToken(false)} />}
    </>
  )
}

function TokenDialog(props: { project: ShownProject; onClose: () => void }) {
  const part = useLoaded(() => import('./clone-token-dialog.js'))
  return part ? <part.CloneTokenDialog {...props} /> : null
}

function archiveAddress(
  { path, path_with_namespace: full }: ShownProject,
  branch: string,
  format: string,
): string {
  const file = `${path}-${branch.replaceAll('/', '-')}.${format}`
  return `/${encodePath(full)}/-/archive/${encodePath(branch)}/${encodeURIComponent(file)}`
}
