import { FileQuestionMark, RefreshCw } from 'lucide'
import type { ComponentChildren } from 'preact'

import { boot } from '../api/boot.js'
import { RequestError } from '../api/client.js'
import type { Reading, ReadList } from '../api/use-read.js'
import { Alert } from '../kit/alert.js'
import { Button, LinkButton } from '../kit/button.js'
import { CopyButton } from '../kit/copy-button.js'
import { Empty } from '../kit/empty.js'
import { Skeleton } from '../kit/skeleton.js'
import { NearestContainer } from './nearest-container.js'
import styles from './problem.module.css'

interface ReadProps<Data> {
  of: Reading<Data>
  /** Heading of a page that consists of what is read, if that fails. */
  title?: string
  /** In place of the usual outline while nothing is there yet. */
  loading?: ComponentChildren
  children: (response: Data) => ComponentChildren
}

/** Shows what was read; an outline before it is there, and what failed with "Try again". */
export function Read<Data>({ of: { data, error, refetch }, title, loading, children }: ReadProps<Data>) {
  if (data !== undefined) return <>{children(data)}</>
  if (error) {
    return (
      <>
        {title !== undefined && (
          <h1 tabIndex={-1} class={styles['title']}>
            {title}
          </h1>
        )}
        <Problem error={error} retry={() => void refetch()} />
      </>
    )
  }
  return <>{loading ?? <Skeleton />}</>
}

interface ReadRowsProps {
  of: Pick<ReadList<unknown>, 'rows' | 'result'>
  /** Number of lines of the outline before the rows are there. */
  outline: number
  /** In place of a list without rows. */
  empty: ComponentChildren
  children: ComponentChildren
}

/** Shows the rows of a list as soon as they are read, as `Read` shows one record. */
export function ReadRows({ of: { rows, result }, outline, empty, children }: ReadRowsProps) {
  // Rows that are shown stay if they could not be read again. If the next page could not be read, `LoadMore` says so.
  if (result.error && result.data === undefined)
    return <Problem error={result.error} retry={() => void result.refetch()} />
  if (result.isPending) return <Skeleton rows={outline} />
  return <>{rows.length === 0 ? empty : children}</>
}

/** A part of a page that could not be read. */
export function Problem({ error, retry }: { error: Error; retry?: () => void }) {
  if (!(error instanceof RequestError)) throw error
  if (error.status === 404) return <NotFound />
  if (error.status === 403) {
    return (
      <Alert tone="warning" title="You may not see this.">
        {/^(403 )?Forbidden$/.test(error.message)
          ? 'You may see the page, but not this part of it.'
          : error.message}
      </Alert>
    )
  }
  return <ReadError title="This could not be read." error={error} retry={retry} />
}

interface ReadErrorProps {
  title: string
  error: Error
  retry?: (() => void) | undefined
}

/** What could not be read, why, and what tries again. */
export function ReadError({ title, error, retry }: ReadErrorProps) {
  if (!(error instanceof RequestError)) throw error
  return (
    <Alert
      tone="error"
      title={title}
      actions={
        retry && (
          <Button size="small" icon={RefreshCw} onClick={retry}>
            Try again
          </Button>
        )
      }
    >
      {error.message}{' '}
      {error.requestId !== undefined && (
        <small>
          Request {error.requestId} <CopyButton text={error.requestId} label="Copy the request ID" />
        </small>
      )}
    </Alert>
  )
}

/** Does not tell whether something is missing or may not be seen. `isPage`: there is no other heading. */
export function NotFound({ isPage = false }: { isPage?: boolean }) {
  const title = 'There is nothing here that you may see.'
  const { user } = boot
  const here = encodeURIComponent(location.pathname + location.search)
  return (
    <Empty
      icon={FileQuestionMark}
      title={isPage ? <h1 tabIndex={-1}>{title}</h1> : title}
      action={
        <>
          {user && <NearestContainer />}
          <LinkButton href="/">Home</LinkButton>
          <LinkButton data-reload="" href={`/users/sign_in?return_to=${here}`}>
            {user ? 'Sign in as another user' : 'Sign in'}
          </LinkButton>
        </>
      }
    >
      {user ? `You are signed in as ${user.name} (@${user.username}).` : 'You are not signed in.'}
    </Empty>
  )
}

/** In place of a page that waits for the server. */
export function Unreachable() {
  return (
    <Alert tone="error" title={<h1 tabIndex={-1}>The server cannot be reached, trying again.</h1>}>
      The page appears as soon as the server responds.
    </Alert>
  )
}
