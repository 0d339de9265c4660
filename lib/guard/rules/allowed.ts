// Commands that run without a question: they read the working tree, or run a task of the project. Their words must
// stay inside the tree and must not name a file of secrets. Pure.

import { rules } from "./rule.ts";

/** Matches a sed script that only prints lines or replaces text. The command `w` would write, and `e` would run. */
const SED =
  /^((\d+|\$|\/[^/\n]*\/)?(,([\d+]+|\$|\/[^/\n]*\/))?!?[pdq=]?(; *|$))*$|^(s(\/([^/\\\n]|\\[^\n])*){2}\/[gpI\d]*|s(\|([^|\\\n]|\\[^\n])*){2}\|[gpI\d]*|s(#([^#\\\n]|\\[^\n])*){2}#[gpI\d]*)$/;

/** Matches a word without the characters that make a shell start another command. */
const PLAIN = /^[^;&|`$<>\\\n]+$/;

/** Usual names of scripts. */
const SCRIPT =
  /^(build|lint|tests?|check|type-?check|types|format|fmt|coverage|e2e|unit|bench|validate|verify|compile|ci)([:-][\w:.-]+)?$/;

export const ALLOWED = rules("allow", {
  say: {
    reason: "it only prints its words",
    commands: [
      "echo|true|false|:|exit|return|break|continue|shift|wait|seq|expr|write-output|write-host",
    ],
    isText: true,
  },
  print: {
    reason: "it only prints its words",
    commands: ["printf"],
    except: "-v",
    isText: true,
  },
  pause: {
    reason: "it only waits, and not for long",
    commands: ["sleep"],
    words: /^[\d.]{1,3}s?$/,
  },
  processes: {
    reason: "it lists processes, without their variables",
    commands: ["ps"],
    words: /^(a?u?x|-(?!\w*E)\w+|[\d,]+)$/,
  },
  date: {
    reason: "it prints the time",
    commands: ["date"],
    except: "-s --set",
    words: /^[-+]/,
  },
  "shell-state": {
    reason: "it sets how this shell works",
    commands: ["set -e|-u|-x|-o|-f", "set +e|+u|+x", "shopt|local|read|getopts"],
    words: /^(-|\+|\w+$)/,
  },
  "set-variables": {
    reason: "it sets variables of this shell",
    commands: ["export|readonly|declare|typeset|local|unset"],
    word: /^[A-Za-z_]\w*(=|$)/,
    only: "-g -x -i -r -a -A",
    isText: true,
  },
  "disk-space": {
    reason: "it prints how much room there is",
    commands: ["df"],
    isText: true,
  },
  look: {
    reason: "it only reads",
    commands: [
      "ls|cat|head|stat|basename|dirname|realpath|readlink|pwd|cut|tr|nl|rev|tac|column",
      "paste|comm|diff|cmp|join|fold|fmt|od|hexdump|strings|md5sum|sha1sum|sha256sum|cksum|b2sum|expand",
      "uname|whoami|id|which|type|nproc|uptime|free|pgrep|cal|arch|tput|cd|pushd|popd|lsof|ss",
      "base64|base32|shasum|sha512sum|zcat|zgrep|bc|lscpu|locale|tty|getconf|c++filt|tokei|scc|readelf|objdump|ldd",
      "get-childitem|gci|get-content|gc|get-location|select-string|test-path",
    ],
  },
  test: {
    reason: "it only looks; the index of an array would be run",
    commands: ["test|["],
    except: "-v",
    isText: true,
  },
  measure: {
    reason: "it only reads",
    commands: ["wc|du|file"],
    except: "--files0-from -C --compile -f --files-from --magic-file",
  },
  "look-carefully": {
    reason: "it only reads, without the options that write, run or never end",
    commands: ["tail|sort|tree|command|hash|fd|fdfind|ag|bat"],
    except:
      "-f -F --follow --retry -o --output --compress-program -T --temporary-directory -S -s --set -i --inplace --in-place -x -X --exec --exec-batch --pager -R -p --pid --files0-from",
    words: /^(?!.*(env\b|\$ENV|\binput_filename\b|\bload))/,
  },
  query: {
    reason: "it only reads; its variables may hold secrets",
    commands: ["jq|yq"],
    except: "-f --from-file -i --inplace --in-place -s --slurpfile --rawfile --env",
    first: /^(?!.*(env\b|\$ENV|\binput_filename\b|\bload))/s,
  },
  "look-into": {
    reason: "it lists what an archive or a program holds",
    commands: [
      "tar|jar t|tf|tvf|tzf|tzvf|tJf",
      "tar -t|--list",
      "unzip -l|-Z",
      "javap|nm|size",
    ],
    only: "-t -l -z -j -J -v -q -Z -1 -f -c -p -s -C -D -g -u -A --list --file --verbose",
    words: /^[^:]+$/,
  },
  "no-script": {
    reason: "it checks a script, or names the programs of the project",
    commands: ["bash|sh|zsh|dash|ksh -n", "ruby -c", "source|."],
    only: "-n -c -w",
    operands: 1,
  },
  "package-file": {
    reason: "it prints a part of package.json",
    commands: ["node -p|--print"],
    only: "-p --print",
    first: /^require\(["']\.\/([\w-]+\/)*package\.json["']\)[.\w]*$/,
  },
  "look-once": {
    reason: "it reads one file; a second would be written",
    commands: ["uniq|xxd"],
    except: "-r --revert",
    operands: 1,
  },
  search: {
    reason: "it only searches",
    commands: ["grep|egrep|fgrep"],
    first: "any",
  },
  ripgrep: {
    reason: "it only searches",
    commands: ["rg"],
    except: "--pre --hostname-bin --search-zip -z",
    first: "any",
  },
  find: {
    reason: "it only finds",
    commands: ["find"],
    except: "-delete -exec -execdir -ok -okdir -fprint -fprint0 -fprintf -fls -files0-from",
  },
  sed: {
    reason: "it prints lines, and writes nothing",
    commands: ["sed"],
    only: "-n -E -r -s -z",
    first: SED,
  },
  awk: {
    reason: "its program neither writes nor runs anything",
    commands: ["awk|gawk|mawk"],
    except: "-f -i -l -e -E --file --include --load --exec --source -o -p -d",
    // A single bar is a pipe, and `>` after `print` writes a file.
    first: /^(?![^]*(system|getline|ENVIRON|ARG[CV]|@|(^|[^|])\|([^|]|$)|print[^;}]*>))/,
  },
  "git-look": {
    reason: "it only reads the history",
    commands: [
      "git status|log|diff|show|blame|shortlog|describe|rev-parse|rev-list|ls-files|ls-tree|cat-file",
      "git merge-base|name-rev|grep|whatchanged|count-objects|diff-tree|check-ignore|for-each-ref|cherry",
      "git stash list|show",
      "git worktree list",
      "git reflog show",
      "git version",
    ],
    except:
      "--output --ext-diff --textconv --filters --open-files-in-pager -O -o --exec --upload-pack --contents -f --exclude-from -X",
    isText: "names",
  },
  "git-list": {
    reason: "it lists branches, tags, remotes or settings",
    commands: ["git branch|tag|remote|reflog"],
    only:
      "-a -r -v -vv -l -n --list --all --remotes --show-current --verbose --contains --merged --no-merged --sort --format --points-at",
    operands: 0,
  },
  "git-list-matching": {
    reason: "it lists branches or tags",
    commands: ["git branch|tag -l|--list|--contains|--merged|--no-merged|--points-at"],
    only:
      "-a -r -v -l -n --list --all --remotes --contains --merged --no-merged --sort --points-at",
    operands: 1,
    isText: "names",
  },
  "git-config-look": {
    reason: "it reads one setting",
    commands: ["git config --get|--get-all|--list|-l", "git config get|list"],
    only: "--get --get-all --list -l --global --local --show-origin --name-only",
    operands: 1,
    isText: "names",
  },
  "git-commit": {
    reason: "it records work on this branch; nothing is lost",
    commands: ["git add", "git commit -m|--message"],
    except:
      "--amend --no-verify -n -c -C --author --fixup --squash -e -S --gpg-sign -i -p -F --file -t -f --force --edit --interactive --patch",
    isText: "names",
  },
  "git-commit-text": {
    reason: "it records work on this branch; nothing is lost",
    commands: ["git commit -F|--file"],
    word: /^((-F|--file=)?-|\/dev\/fd\/\d+)$/,
    except:
      "--amend --no-verify -n -c -C --author --fixup --squash -e -S --gpg-sign -i -p -t --edit --interactive --patch",
    isText: "names",
  },
  "git-unstage": {
    reason: "it takes changes out of the next commit; nothing is lost",
    commands: ["git restore --staged|-S", "git reset HEAD"],
    only: "--staged -S -q --quiet --mixed",
  },
  "git-move": {
    reason: "git has what it takes away, and refuses what it has not",
    commands: ["git mv|rm"],
    only: "-r -n -k -q -v --cached --quiet --dry-run --ignore-unmatch",
    writes: "all",
  },
  edit: {
    reason: "it writes files of the tree",
    commands: ["touch|mkdir|tee"],
    except: "-r --reference -t",
    writes: "each",
  },
  copy: {
    reason: "it writes files of the tree",
    commands: ["cp"],
    only: "-r -R -a -p -f -v -n -u --recursive --archive --verbose --no-clobber",
    writes: "last",
  },
  move: {
    reason: "it moves files inside of the tree",
    commands: ["mv"],
    only: "-f -v -n -u --verbose --no-clobber",
    writes: "all",
  },
  mode: {
    reason: "it lets a file of the tree run",
    commands: ["chmod"],
    first: /^([ugoa]*\+x|755|644)$/,
    only: "-v",
    writes: "each",
  },
  "git-branch-new": {
    reason: "it starts a branch; nothing is lost",
    commands: ["git checkout -b", "git switch -c|--create"],
    only: "-b -c --create",
    operands: 2,
    isText: "names",
  },
  "project-task": {
    reason: "it runs a task of the project",
    commands: [
      "npm|pnpm|yarn|bun test|t|run|run-script|ci",
      "deno test|task|check|lint|fmt|bench|doc|coverage|info",
      "composer|turbo|nx test|lint|check|build|run|validate",
      "rake|bake|just|tox|nox|invoke|mage|task",
      "mix|rebar3|dune test|compile|credo|dialyzer|xref|deps.tree|eunit|ct|runtest",
      "zig|lein|stack|cabal|dune|gleam|crystal|bazel|ng|next|vite|buf build|test|check|lint",
      "flutter|dart|fvm test|analyze",
      "rails test|routes|about|stats|zeitwerk:check",
      "php artisan test|route:list|about|migrate:status|list",
    ],
    except:
      "--config -c --prefix -C --registry --script-shell --globalconfig --preload --import --import-map --init-script -f -D --node-options --userconfig --watch --watchAll --run_under --fix --auto-promote",
    words: PLAIN,
  },
  "jvm-task": {
    reason: "it runs a task of the project",
    commands: ["gradle|gradlew|mvn|mvnw|sbt"],
    words:
      /^(-[qBoUex]+|-ntp|-am|-pl|-P[\w,!-]+|--(quiet|batch-mode|offline|no-\w[\w-]*|info|stacktrace|continue|tests|all|console|configuration|rerun-tasks|parallel)(=\S+)?|-D(skip|(it\.)?test|failIfNo|surefire\.|maven\.(test|javadoc)\.)[\w.]*(=\S*)?|(:?[\w-]+:)*(clean|test|build|check|verify|compile|assemble|lint|package|validate|dependencies|dependency:(tree|list|analyze)|dependencyInsight|tasks|projects|testClasses|detekt|(test|lint|assemble|compile|check)[\w-]*|\w+(Check|Test|Tests|Classpath))|([a-z]\w*\.)+[\w.*#]+|[A-Z*][\w.*#]*)$/,
  },
  "project-script": {
    reason: "it runs a script of the project",
    commands: ["pnpm|yarn"],
    first: SCRIPT,
    except: "--config -c --watch --fix --write",
    words: PLAIN,
  },
  "go-run": {
    reason: "it runs the project",
    commands: ["go run"],
    first: /^(\.(\/|$)|[\w./-]+\.go$)/,
    except: "-exec -toolexec -overlay -modfile -ldflags -gcflags",
    words: PLAIN,
  },
  "go-task": {
    reason: "it runs a task of the project",
    commands: ["go build|test|vet|fmt|list|doc|version", "go mod|tool graph|why|verify|cover"],
    except: "-exec -toolexec -o -overlay -modfile -C -vettool -ldflags -gccgoflags -gcflags",
    words: PLAIN,
  },
  compile: {
    reason: "it compiles files of the tree",
    commands: ["gcc|g++|cc|c++|clang|clang++|javac", "go build"],
    words:
      /^(-([odgcvSEx]|cp|race|trimpath|pthread|O\w|W[a-z][\w=-]*|std=[\w+]+|I[\w./-]*|D\w+(=\w*)?|l\w+|fPIC|fsyntax-only|-release|tags(=[\w,]+)?)|(?!\.git|.*\/\.git)[\w.+][\w./+*-]*)$/,
    writes: "each",
  },
  make: {
    reason: "it makes a target of the project",
    commands: ["make|ninja", "meson compile|test", "cmake -S|-B|--build|--preset"],
    words:
      /^(?!\.git\b|.*\/\.git\b)(-D[A-Z_]+=[\w.]+|-j\d*|-[kns]+|[\w.:/-]*[\w.:/]|[A-Z_]+=(\d+|true|false|on|off|yes|no))$/,
    except: "-f --file --makefile -I --eval -E -e -P -t --wrapper",
  },
  "project-check": {
    reason: "it tests or checks the project",
    commands: [
      "pytest|tsc|vue-tsc|eslint|mypy|pyright|vitest|jest|ctest|phpunit|phpstan|rspec|rubocop|standardrb",
      "flake8|pylint|pyflakes|bandit|stylelint|oxlint|knip|shellcheck|actionlint|yamllint|staticcheck|pyrefly",
      "unittest|compileall|doctest|py_compile|pycodestyle|vulture|codespell|cspell|typos|misspell|cloc",
      "psalm|phpcs|pest|brakeman|erb_lint|cucumber|luacheck|hadolint|tflint|kubeconform|ansible-lint",
      "clang-tidy|cppcheck|cpplint|revive|errcheck|gosec|govulncheck|gotestsum|ginkgo|ktlint",
      "markdownlint-cli2|commitlint|standard|xo|svelte-check|depcheck|madge|publint",
      "black|isort|rustfmt|djlint|taplo|stylua|nixfmt --check|--diff|--check-only",
      "mix|dotnet format --check-formatted|--verify-no-changes",
      "buildifier|clang-format|php-cs-fixer --dry-run",
      "ruff check",
      "ruff format --check|--diff",
      "biome|dprint|sqlfluff check|lint|ci",
      "golangci-lint|playwright|cypress|pre-commit|tox run|test",
      "coverage report|combine|html|xml",
      "mkdocs|helm|kustomize build|lint|template",
      "gofmt|goimports|gofumpt|shfmt -l|-d",
      "php -l",
    ],
    except:
      "--config -c --rootDir --rootdir --plugin --outDir --outFile --declarationDir --fix --fix-type --write --unsafe --unsafe-fixes -w --watch --rulesdir --resolve-plugins-relative-to --globalSetup --setupFiles -o --output-file --require --generateTrace --tsBuildInfoFile --init --add-noqa --fix-only --watchAll --ui --pdb -S -a -A --autocorrect --autocorrect-all --auto-correct --auto-gen-config -fix -fix-errors -F --export-fixes -load --load --exec -exec -toolexec --addon --alter --write-changes --post-run-command --report-file --output --out --extract-with --post-renderer --output-dir --enable-exec --enable-alpha-plugins",
    words: PLAIN,
  },
  "project-check-format": {
    reason: "it checks the project",
    commands: ["prettier --check|-c|--list-different|-l", "markdownlint"],
    except: "--write -w --config --plugin --fix -f -o --output",
    words: PLAIN,
  },
  "project-check-node": {
    reason: "it tests or checks the project",
    commands: ["node --test|--check", "mocha|ava|tap|busted|prove"],
    except:
      "-r --require --import --loader --experimental-loader -e --eval -p --print --env-file --inspect --inspect-brk --watch -w --config --exec -P",
    words: /^(?!--test-(update|reporter-d))[^;&|`$<>\\\n]+$/,
  },
  "format-json": {
    reason: "it prints a file",
    commands: ["json.tool"],
    operands: 1,
  },
  "cargo-task": {
    reason: "it runs a task of the project",
    commands: [
      "cargo build|test|check|clippy|fmt|bench|doc|tree|metadata|run|nextest",
      "swift|dotnet build|test",
      "cargo msrv|hack|deny|machete|udeps|llvm-cov|semver-checks|audit",
    ],
    except: "--config --target-dir --out-dir --fix -Z --open",
    words: PLAIN,
  },
  version: {
    reason: "it prints its version or help",
    commands: [
      "node|npm|npx|pnpm|yarn|ruby|php|perl -v",
      "rustc|cargo|python|python3 --version|-V|-vV",
      "git|gh|kubectl|helm|terraform|docker|podman|aws|npm|cargo|go|uv|pip * --help",
      "kubectl|helm|terraform|tofu|docker|podman|openssl|flutter|golangci-lint|kustomize|zig version",
      "git|go|cargo|npm|gh help *",
    ],
    only: "--version -v -V --verbose --help --client --short -vV",
    operands: 0,
  },
  "list-remote": {
    reason: "it only lists",
    commands: [
      "npm|pip|pip3 ls|list|view|show|outdated|why|explain|freeze",
      "pnpm|yarn|pdm|poetry|bundle|gem|composer|dotnet list|ls|show|why|outdated|info",
      "uv pip list|show|freeze|tree|check",
      "uv|pip|poetry|pdm|bundle|pipenv tree|check|graph",
      "go env",
      "dotnet --list-sdks|--list-runtimes|--info",
      "npm pkg get",
      "rustup show|which",
      "rustup toolchain|target|component list",
      "gh issue|pr|run|repo|release|workflow|label|cache list|view|status|diff|checks",
      "gh search|auth issues|prs|repos|code|commits|status",
      "docker|podman ps|images|logs|version|info|port|top|diff|history",
      "docker|podman compose|image|network|volume|context ps|images|logs|ls|list|top|version",
    ],
    except: "-f --follow --web -w -o --exec --watch --template --raw -t -u --show-token",
    operands: 3,
    words: /^(?!.*(secret|\benv([^\w-]|$)|\$))[^\n]+$/i,
  },
  "list-cloud": [
    {
      reason: "it only lists, and none of what may hold secrets",
      commands: [
        "terraform|tofu validate|graph|show|plan",
        "terraform|tofu state|workspace list|show",
        "terraform|tofu fmt -check",
        "gcloud * list",
        "gcloud * * list",
        "kubectl get|describe|logs|version|top|explain|api-resources|events",
        "kubectl rollout|config|auth status|history|current-context|get-contexts|can-i|whoami",
        "helm list|ls|status|history|search|show",
      ],
      except:
        "-json -raw -out --flags-file --access-token-file -f --follow -w --watch --raw --token --server -s --kubeconfig --as --template --filename",
      words: /^(?!.*(secret|token|password))[^\n]+$/i,
    },
    {
      reason: "it only lists, and none of what may hold secrets",
      commands: [
        "aws sts|ec2|ecr|eks|rds|iam|logs|cloudwatch|cloudformation|dynamodb|sqs|sns",
      ],
      first: /^((describe|list)-[a-z-]+|get-caller-identity)$/,
      except: "--endpoint-url --cli-input-json --no-verify-ssl --ca-bundle",
      words: /^(?!.*(secret|token|password|user-?data|attribute))[^\n]+$/i,
    },
  ],
  agentx: {
    reason: "it asks agentx, which checks who may do what",
    commands: [
      "agentx ask|answer|clarify|status|ready|issue|memory|here|inbox|state|assumptions|version|guard|audit|scan",
      "agentx --help|--version",
    ],
    except: "--accept",
    isText: true,
  },
});
