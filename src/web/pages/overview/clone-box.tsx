import { Download } from 'lucide'

import { addressOf, encodePath } from '../../../addresses/address-of.js'
import { boot } from '../../api/boot.js'
import { CopyButton } from '../../kit/copy-button.js'
import { Field } from '../../kit/field.js'
import { Popover } from '../../kit/popover.js'
import styles from './clone-box.module.css'
import type { ShownProject } from './shown-project.js'

const FORMATS = ['zip', 'tar.gz', 'tar.bz2', 'tar']

/** Addresses to clone the repository from, and its archives. */
export function CloneBox({ project }: { project: ShownProject }) {
  const { http_url_to_repo: http, ssh_url_to_repo: ssh, default_branch: branch } = project
  return (
    <Popover label="Clone" icon={Download}>
      <div class={styles['box']}>
        <Address label={`Clone with ${http.startsWith('https:') ? 'HTTPS' : 'HTTP'}`} value={http} />
        {boot.serves_ssh && <Address label="Clone with SSH" value={ssh} />}
        {boot.user && (
          <p class={styles['note']}>
            Git asks for your user name, <code>{boot.user.username}</code>, and an{' '}
            <a href={addressOf('account/tokens', {})}>access token</a> with the scope{' '}
            <code>read_repository</code> or <code>write_repository</code> as the password.
          </p>
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
  )
}

function Address({ label, value }: { label: string; value: string }) {
  return (
    <Field label={label}>
      {(ids) => (
        <span class={styles['address']}>
          <input
            {...ids}
            type="text"
            readOnly
            value={value}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <CopyButton text={value} label={`Copy: ${label}`} />
        </span>
      )}
    </Field>
  )
}

function archiveAddress(
  { path, path_with_namespace: full }: ShownProject,
  branch: string,
  format: string,
): string {
  const file = `${path}-${branch.replaceAll('/', '-')}.${format}`
  return `/${encodePath(full)}/-/archive/${encodePath(branch)}/${encodeURIComponent(file)}`
}
