// The TypeScript original, `ctx.tools.execute`, with this family's program run between its rounds:
// node --expose-gc bench.mjs PROGRAM [ROUNDS]
import { execFileSync } from 'node:child_process'
import { Context } from '@deepseek-ai/cordis'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime, { defineTool } from '@deepseek-ai/dsh-tools'

const [program, rounds = '21'] = process.argv.slice(2)
const small = '{"query":"rust async tool pipeline","limit":3,"tags":["lang:rust","kind:crate","sort:recent"]}'
const large = JSON.stringify({
  query: 'rust async tool pipeline',
  limit: 500,
  tags: Array.from({ length: 100 }, (_, n) => `tag-number-${n}`),
})

function body({ query, limit, tags }) {
  const hits = Array.from({ length: limit ?? 3 }, (_, n) => ({ title: `${query} #${n}`, score: (tags.length + n) / 8 }))
  return { hits, total: hits.length }
}

const hit = { type: 'object', additionalProperties: false, properties: {
  title: { type: 'string', required: true },
  score: { type: 'number', required: true },
} }

const search = (settings) => defineTool({
  name: 'search',
  description: 'Searches.',
  parameters: {
    query: { type: 'string', description: 'What to look for', required: true },
    limit: { type: 'integer', description: 'How many hits at most' },
    tags: { type: 'array', items: { type: 'string' }, description: 'Tags every hit must have', required: true },
  },
  output: {
    schema: { type: 'object', additionalProperties: false, properties: {
      hits: { type: 'array', items: hit, required: true },
      total: { type: 'integer', required: true },
    } },
    render: (_arguments, value) => [{ type: 'text', text: JSON.stringify(value) }],
  },
  execute: async (given) => body(given),
  ...settings,
})

async function host(settings) {
  const context = new Context()
  await context.plugin(SystemPrompt)
  await context.plugin(ToolRuntime)
  context.tools.register(search(settings))
  return context
}

const plain = await host({})
const full = await host({ finalizeContent: () => undefined })
full.on('tools/pre-execute', (_call, next) => next())
full.tools.guard((call) => (call.arguments.tags?.length > 1000 ? 'too many tags' : undefined))
full.tools.guard((call) => (call.arguments.query?.includes('forbidden') ? 'forbidden word' : undefined))
full.on('tools/execute', (_call, next) => next())
full.on('tools/post-execute', (_call, result, next) => (result.value.total === undefined ? undefined : next()))

const { signal } = new AbortController()
let calls = 0
const execute = (context, text) =>
  context.tools.execute({ callId: `call_${calls++}`, name: 'search', arguments: JSON.parse(text), signal })
const answer = await execute(full, small)
if (answer.isError || answer.value.total !== 3) throw new Error(JSON.stringify(answer))

const median = (figures) => figures.toSorted((a, b) => a - b)[figures.length >> 1]
const show = (figure) => (figure >= 100 ? figure.toFixed(0) : figure.toFixed(2))
const spread = (figures) => `${show(median(figures))} [${show(Math.min(...figures))}, ${show(Math.max(...figures))}]`

async function nanoseconds(run, times) {
  const began = process.hrtime.bigint()
  for (let n = 0; n < times; n++) await run()
  return Number(process.hrtime.bigint() - began) / times
}

const ours = (size, path) => Number(execFileSync(program, ['one', size, path]))
const claims = []
for (const [size, text, times] of [['small', small, 2000], ['large', large, 20]]) {
  const rows = [
    ['JavaScript, hand-written', async () => JSON.stringify(await (async (it) => body(it))(JSON.parse(text)))],
    ['the original, no hooks', () => execute(plain, text)],
    ['the original, all hooks', () => execute(full, text)],
  ]
  const paths = ['hand-written', 'no hooks', 'typed policy', 'all of it, the post hook reads JSON']
  for (const [, run] of rows) await nanoseconds(run, 3 * times)
  const theirs = rows.map(() => [])
  const own = paths.map(() => [])
  for (let round = 0; round < Number(rounds); round++) {
    for (const [at, path] of paths.entries()) own[at].push(ours(size, path))
    for (const [at, [, run]] of rows.entries()) theirs[at].push(await nanoseconds(run, times))
  }
  const ratios = (a, b) => a.map((figure, round) => figure / b[round])
  console.log(`\n### beside the TypeScript original, ${size}, ${rounds} rounds, Node ${process.version}\n`)
  console.log(`| row | ns | calls per second | times ${paths.map((path) => `ours, ${path}`).join(' | times ')} |`)
  console.log(`|---|---|---|${paths.map(() => '---|').join('')}`)
  for (const [at, [name]] of rows.entries()) {
    const beside = own.map((figures) => spread(ratios(theirs[at], figures)))
    console.log(`| ${name} | ${show(median(theirs[at]))} | ${show(1e9 / median(theirs[at]))} | ${beside.join(' | ')} |`)
  }
  for (const [at, path] of paths.entries()) {
    console.log(`| ours, ${path} | ${show(median(own[at]))} | ${show(1e9 / median(own[at]))} | ${paths.map(() => '').join(' | ')} |`)
  }
  if (size === 'small') {
    for (const at of [2, 3]) {
      const times = ratios(theirs[2], own[at])
      const reached = median(times) >= 150 ? 'yes' : '**no**'
      claims.push(`| calls per second against the TypeScript original with all hooks: ${paths[at]} | at least 150 | ${spread(times)} | | ${reached} |`)
    }
  }
}
console.log('\n| path | at most | measured [min, max] | allocations | reached |\n|---|---|---|---|---|')
for (const claim of claims) console.log(claim)
process.exit(0)
