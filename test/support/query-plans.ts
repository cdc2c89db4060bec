import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { config as sqlite } from '../../src/database/client/internal/class.ts'
import { config as postgresql } from '../../src/database/client/internal/class-postgresql.ts'

interface CompilerOptions {
  datamodel: string
  provider: string
  connectionInfo: { schemaName?: string }
}

interface Compiler {
  compile(query: string): object
  compileBatch(batch: string): object
  free(): void
}

/** A query with hundreds of rows is hardly asked for twice. */
const maxLength = 20_000

interface Kept {
  /** On PostgreSQL a plan names its schema. */
  schema: string | undefined
  json: string
  /** The same for all clients of that schema: Prisma changes no plan. */
  plan?: object
}

/** Plans by kind of database and query. */
const kept = new Map<string, Kept>()

const lookMs = 500

/**
 * Shares the plans with other processes: takes over those of a file, and adds to it what this process compiles. Of
 * two that write at the same time one adds nothing, and one whose test leaves it no room for files writes none.
 */
export const sharePlans = (file: string): void => {
  if (existsSync(file)) for (const [key, plan] of JSON.parse(readFileSync(file, 'utf8'))) kept.set(key, plan)
  let shared = kept.size
  const share = (): void => {
    if (kept.size === shared) return
    shared = kept.size
    const unfinished = `${file}.${process.pid}`
    try {
      const plans = [...kept].map(([key, { schema, json }]) => [key, { schema, json }])
      writeFileSync(unfinished, JSON.stringify(plans))
      renameSync(unfinished, file)
    } catch {
      // What stands in the file already stays.
    }
  }
  setInterval(share, lookMs).unref()
}

/** A schema's name as the SQL of a plan has it in JSON. SQLite's plans name none. */
const nameInJson = (schema = 'main'): string => `\\"${schema}\\"`

/**
 * Prisma's compiler, whose plans are kept from one client to the next: each client of its own compiles each query anew,
 * and the tests open one for each world. What is kept already needs no compiler.
 */
const keeping = (Actual: new (options: CompilerOptions) => Compiler) =>
  class implements Compiler {
    readonly #options: CompilerOptions
    #actual: Compiler | null = null

    constructor(options: CompilerOptions) {
      this.#options = options
    }

    compile(query: string): object {
      return this.#planFor(query, () => this.#compiler().compile(query))
    }

    compileBatch(batch: string): object {
      return this.#planFor(batch, () => this.#compiler().compileBatch(batch))
    }

    free(): void {
      this.#actual?.free()
    }

    #compiler(): Compiler {
      this.#actual ??= new Actual(this.#options)
      return this.#actual
    }

    #planFor(query: string, compile: () => object): object {
      const { provider, connectionInfo } = this.#options
      const { schemaName: schema } = connectionInfo
      const key = `${provider} ${query}`
      const known = kept.get(key)
      if (known === undefined) {
        const plan = compile()
        if (key.length <= maxLength) kept.set(key, { schema, json: JSON.stringify(plan), plan })
        return plan
      }
      if (known.schema !== schema)
        return JSON.parse(known.json.replaceAll(nameInJson(known.schema), nameInJson(schema)))
      known.plan ??= JSON.parse(known.json) as object
      return known.plan
    }
  }

for (const { compilerWasm } of [sqlite, postgresql]) {
  if (compilerWasm === undefined) throw new Error('This client has no compiler.')
  const { getRuntime, getQueryCompilerWasmModule: load } = compilerWasm
  let loaded: ReturnType<typeof load> | undefined
  compilerWasm.getQueryCompilerWasmModule = () => (loaded ??= load())
  compilerWasm.getRuntime = async () => {
    const runtime = await getRuntime()
    return { ...runtime, QueryCompiler: keeping(runtime.QueryCompiler as never) as never }
  }
}
