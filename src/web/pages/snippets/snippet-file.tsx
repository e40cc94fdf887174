import { Download, FileCode, ScrollText, TextWrap } from 'lucide'
import { useMemo } from 'preact/hooks'

import { CodeLines } from '../../code/code-lines.js'
import { FileBar } from '../../code/file-bar.js'
import { ShownFile } from '../../code/shown-file.js'
import { linesOf } from '../../code/text-lines.js'
import { useHighlight } from '../../code/use-highlight.js'
import { Read } from '../../frame/problem.js'
import { usePreferences } from '../../frame/use-preferences.js'
import { Alert } from '../../kit/alert.js'
import { IconButton, LinkButton } from '../../kit/button.js'
import { formatCount } from '../../kit/bytes.js'
import { CopyButton } from '../../kit/copy-button.js'
import { Empty } from '../../kit/empty.js'
import { Box } from '../../kit/panel.js'
import { Skeleton } from '../../kit/skeleton.js'
import styles from './snippet-file.module.css'
import { fileApi, type SnippetProject } from './snippet-owner.js'
import { type SnippetFile, useSnippetFile } from './use-snippet-file.js'

interface FileProps {
  project: SnippetProject
  id: number
  path: string
  /** The snippet has no other file, so that the address can name lines. */
  isOnly: boolean
}

/** A file of a snippet: its content in colors, and what can be done with it. */
export function FileOfSnippet({ project, id, path, isOnly }: FileProps) {
  const api = fileApi(project, id, path)
  const file = useSnippetFile(api)
  const [{ wrapsCode: wraps }, changePreferences] = usePreferences()
  const text = file.data?.text
  const lines = useMemo(() => linesOf(text ?? ''), [text])
  const name = path.slice(path.lastIndexOf('/') + 1)
  const raw = `/api/v4${api}`
  return (
    <Box label={path}>
      <FileBar
        class={styles['bar']}
        facts={
          <>
            <strong class={styles['name']}>{path}</strong>
            {text !== undefined && ` · ${formatCount(lines.length)} ${lines.length === 1 ? 'line' : 'lines'}`}
          </>
        }
      >
        {text !== undefined && (
          <IconButton
            size="small"
            icon={TextWrap}
            label={`Wrap long lines of ${name}`}
            aria-pressed={wraps}
            onClick={() => changePreferences({ wrapsCode: !wraps })}
          />
        )}
        {text !== undefined && !file.data?.isCut && (
          <CopyButton text={text} label={`Copy the content of ${name}`} />
        )}
        <LinkButton size="small" icon={ScrollText} href={raw} data-reload="" aria-label={`Raw: ${name}`}>
          <span class={styles['word']}>Raw</span>
        </LinkButton>
        <LinkButton
          size="small"
          icon={Download}
          href={raw}
          download={name}
          data-reload=""
          aria-label={`Download ${name}`}
        >
          <span class={styles['word']}>Download</span>
        </LinkButton>
      </FileBar>
      <Read of={file} loading={<Skeleton rows={6} />}>
        {(read) => (
          <Content
            path={path}
            name={name}
            raw={raw}
            file={read}
            lines={lines}
            wraps={wraps}
            isOnly={isOnly}
          />
        )}
      </Read>
    </Box>
  )
}

interface ContentProps extends Pick<FileProps, 'path' | 'isOnly'> {
  name: string
  raw: string
  file: SnippetFile
  lines: readonly string[]
  wraps: boolean
}

function Content({ path, name, raw, file: { text, isCut, shownAs }, lines, wraps, isOnly }: ContentProps) {
  const colored = useHighlight(path, isCut ? undefined : text)
  if (shownAs) return <ShownFile kind={shownAs} src={raw} name={name} />
  if (text === undefined) {
    return (
      <Empty icon={FileCode} title="This is a binary file.">
        Download it to see its content.
      </Empty>
    )
  }
  if (text === '') return <Empty icon={FileCode} title="This file is empty." />
  return (
    <>
      {isCut && (
        <Alert tone="info">
          The file is too large to show. This is its beginning; open the raw file for the rest.
        </Alert>
      )}
      <CodeLines
        label={`Content of ${path}`}
        lines={lines}
        colored={colored}
        wraps={wraps}
        hasLinks={isOnly}
      />
    </>
  )
}
