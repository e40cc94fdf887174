import { join } from 'node:path'

import { createServer } from 'vite'

import { root } from '../setup/root.mjs'
import { SetupError } from '../setup/say.mjs'
import { PAGES_BASE } from './pages-base.mjs'
import { DEV_FOLDER } from './paths.mjs'

/**
 * @typedef {object} PagesOptions
 * @property {number} port
 * @property {string} coordinatorUrl where all but the modules of pages comes from
 * @property {() => Promise<void>} whenServing resolves as soon as the coordinator serves, rejects if it did not start
 */

/**
 * Serves the pages from their sources, and everything else from the coordinator. A changed style is replaced in the page;
 * for other changes, pages are loaded again.
 * @param {PagesOptions} options
 */
export async function servePages({ port, coordinatorUrl, whenServing }) {
  const server = await createServer({
    configFile: join(root, 'src/web/vite.config.ts'),
    base: PAGES_BASE,
    cacheDir: join(DEV_FOLDER, 'vite'),
    logLevel: 'warn',
    plugins: [holdRequests(whenServing)],
    optimizeDeps: { entries: ['main.tsx', 'pages/**/*.tsx'] },
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      // The headers are those of the coordinator.
      cors: false,
      proxy: { [`^(?!${PAGES_BASE})`]: { target: coordinatorUrl, ws: true } },
      // The data folder, with its tokens, is not served.
      fs: { allow: ['src', 'node_modules', '.switchyard/dev/vite'].map((folder) => join(root, folder)) },
      warmup: { clientFiles: ['main.tsx'] },
    },
  })
  await listen(server, port)
  return {
    /** Loads open pages again. */
    reload: () => server.ws.send({ type: 'full-reload' }),
    close: () => server.close(),
  }
}

/**
 * @param {import('vite').ViteDevServer} server
 * @param {number} port
 */
async function listen(server, port) {
  try {
    await server.listen()
  } catch (error) {
    await server.close()
    // Vite's error has no code.
    if (!(error instanceof Error && error.message.includes('already in use'))) throw error
    throw new SetupError(`Port ${port} is in use. Choose another one: npm run dev -- --port ${port + 1000}`)
  }
}

/**
 * Lets requests wait while the coordinator restarts.
 * @param {() => Promise<void>} whenServing
 * @returns {import('vite').Plugin}
 */
function holdRequests(whenServing) {
  return {
    name: 'hold-requests',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (request.url?.startsWith(PAGES_BASE)) {
          next()
          return
        }
        whenServing().then(
          () => next(),
          (/** @type {unknown} */ error) => {
            response.writeHead(503, { 'content-type': 'text/html; charset=utf-8', 'retry-after': '1' })
            response.end(problemPage(error instanceof Error ? error.message : String(error)))
          },
        )
      })
    },
  }
}

/** Its script loads the page again when the coordinator serves. @param {string} problem */
function problemPage(problem) {
  return `<!doctype html><title>Switchyard</title><p>${problem.replaceAll('<', '&lt;')}</p>
<script type="module" src="${PAGES_BASE}@vite/client"></script>`
}
