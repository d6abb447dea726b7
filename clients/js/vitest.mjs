// The Vitest plugin: plugins: [hashrange({ setup: './tables.js' })]

import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const { findServer } = createRequire(import.meta.url)('./lib/binary.cjs')

const file = (name) => fileURLToPath(new URL(`./lib/${name}`, import.meta.url))
const OWN_SETUP = file('vitest-global-setup.mjs')

export function hashrange(options = {}) {
  return {
    name: 'hashrange',
    api: { options }, // the global setup reads the options from here
    config: () => ({
      test: {
        globalSetup: [OWN_SETUP],
        setupFiles: [file('vitest-setup.mjs')],
        // Runs again for every test file, also if files share their modules.
        server: { deps: { inline: [/vitest-setup\.mjs$/] } },
      },
    }),
    configureVitest: ({ project, vitest }) => checkServer(options, [vitest.config, project.config]),
    // Vitest 4 imports a setup in TypeScript in this environment: packages are then imported as in tests, not as for a
    // browser, which takes seconds for an AWS SDK.
    configEnvironment: (name) => (name === '__vitest__' ? { resolve: { mainFields: [] } } : undefined),
  }
}

// Vitest runs its global setups late, after messages of its own. So this reports a missing server earlier and without a stack,
// unless another global setup may still name a server.
function checkServer({ binary, endpoint = process.env.HASHRANGE_ENDPOINT }, configs) {
  if (endpoint || configs.some(({ globalSetup = [] }) => [globalSetup].flat().some((path) => path !== OWN_SETUP))) return
  try {
    findServer(binary)
  } catch (error) {
    error.stack = error.message
    throw error
  }
}
