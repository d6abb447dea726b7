// Stories: named functions that are run one after another, and counted.

const stories = []

/** Adds a story to those that run.mjs runs. */
export function story(name, run) {
  stories.push({ name, run })
}

/** Returns the error of a story; undefined: it passed. */
async function errorOf({ run }) {
  try {
    await run()
  } catch (error) {
    return error
  }
}

/**
 * Runs the stories that were added, those with `filter` in their names. Returns how many passed and failed.
 * When a reader's next step comes before the page has drawn the last one depends on the time that the browser gets, so a story that fails
 * is told and run once more: it has failed when it fails again.
 */
export async function runStories(filter) {
  let passed = 0
  let failed = 0
  for (const one of stories) {
    if (filter && !one.name.includes(filter)) continue
    let error = await errorOf(one)
    if (error) {
      console.log(`once more: ${one.name}\n${error.stack ?? error}`)
      error = await errorOf(one)
    }
    console.log(error ? `FAILED: ${one.name}\n${error.stack ?? error}` : `passed: ${one.name}`)
    if (error) ++failed
    else ++passed
  }
  return { passed, failed }
}

export function countStories() {
  return stories.length
}
