// Builds the demo and the pages of the tests, with the package in the folder HASHRANGE_PACKAGE (assemble.mjs).

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const place = (path) => fileURLToPath(new URL(path, import.meta.url))
const own = process.env.HASHRANGE_PACKAGE ?? place('../../build/browser')

export default defineConfig({
  root: place('.'),
  base: './',
  resolve: { alias: { '@hashrange/browser': `${own}/index.mjs` } },
  server: { fs: { allow: [place('.'), own] } },
  build: { target: 'es2022', emptyOutDir: true, chunkSizeWarningLimit: 5000, rollupOptions: { input: [place('demo/index.html'), place('tests/pages/calls.html')] } },
})
