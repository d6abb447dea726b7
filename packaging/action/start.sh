#!/usr/bin/env bash
# The step of the GitHub Action in action.yml: downloads a release, checks it, starts the server, and
# waits until it serves.
#
#   packaging/action/start.sh
#
# Reads the inputs of action.yml from HASHRANGE_ACTION_*, and RUNNER_* and GITHUB_* as a runner sets
# them. Writes the outputs to GITHUB_OUTPUT, and variables for later steps to GITHUB_ENV and
# GITHUB_PATH. Exits with 1 after one `::error::` line if the server does not serve.
set -euo pipefail

fail() {  # SENTENCE
  echo "::error title=Hashrange::${1//$'\n'/%0A}"
  exit 1
}

matches() {  # NAME VALUE PATTERN EXAMPLE
  [[ $2 =~ ^($3)$ ]] || fail "The input $1 is $4, not \"$2\"."
}

read_inputs() {
  version=${HASHRANGE_ACTION_VERSION#v}
  port=$HASHRANGE_ACTION_PORT
  environment=$HASHRANGE_ACTION_ENVIRONMENT
  timeout_s=$HASHRANGE_ACTION_TIMEOUT
  matches version "$version" '[0-9]+\.[0-9]+\.[0-9]+[-+.0-9A-Za-z]*' 'a version such as 0.1.0'
  matches port "$port" '[0-9]{1,5}' 'a number such as 8000'
  matches environment "$environment" 'true|false' 'true or false'
  matches timeout "$timeout_s" '[0-9]{1,5}' 'a number of seconds'
  options=()
  if [[ -n $HASHRANGE_ACTION_SEED ]]; then options+=(--seed "$HASHRANGE_ACTION_SEED"); fi
  if [[ -n $HASHRANGE_ACTION_DATA ]]; then options+=(--data "$HASHRANGE_ACTION_DATA"); fi
  local words=()
  read -r -d '' -a words <<<"$HASHRANGE_ACTION_ARGS" || true  # to the end of the text
  options+=("${words[@]}")
  base_url=${HASHRANGE_ACTION_BASE_URL%/}
  if [[ -z $base_url ]]; then
    base_url=${GITHUB_SERVER_URL:-https://github.com}/${HASHRANGE_ACTION_REPOSITORY:-hashrange/hashrange}
    base_url+=/releases/download/v$version
  fi
}

choose_archive() {
  local arch
  [[ $RUNNER_OS == Linux ]] ||
    fail "There is no program for runners with $RUNNER_OS, only for Linux: use a job with runs-on: ubuntu-latest."
  case $RUNNER_ARCH in
    X64) arch=amd64 ;;
    ARM64) arch=arm64 ;;
    *) fail "There is no program for the architecture $RUNNER_ARCH, only for X64 and ARM64." ;;
  esac
  archive=hashrange-$version-linux-$arch.tar.gz
}

download() {  # NAME
  local url=$base_url/$1 status
  status=$(curl --silent --show-error --location --retry 3 --connect-timeout 20 --max-time 300 \
    --output "$folder/$1" --write-out '%{http_code}' "$url" 2>"$folder/curl") ||
    fail "$url cannot be downloaded: $(tail -n 1 "$folder/curl")"
  case $status in
    200) ;;
    404) fail "There is no version $version: $url is not there." ;;
    *) fail "$url cannot be downloaded: the answer has the status $status." ;;
  esac
}

check_sum() {
  local wanted found
  wanted=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$folder/SHA256SUMS")
  [[ -n $wanted ]] || fail "$base_url/SHA256SUMS does not name $archive."
  found=$(sha256sum <"$folder/$archive")
  [[ $wanted == "${found%% *}" ]] ||
    fail "$base_url/$archive is not the file of the release: its SHA-256 is ${found%% *}, not $wanted."
}

unpack() {
  tar -xzf "$folder/$archive" -C "$folder"
  program=$(find "$folder" -type f -name hashrange -perm -u+x -print -quit)
  [[ -n $program ]] || fail "$archive has no program named hashrange."
  rm "$folder/$archive"
}

# Shows the log, and fails with its last line.
fail_with_log() {  # SENTENCE
  echo "::group::the log of the server"
  cat "$log"
  echo "::endgroup::"
  fail "$1 $(tail -n 1 "$log")"
}

start() {
  local ready=$folder/ready
  : >"$ready"
  setsid "$program" serve --port "$port" --ready-fd 3 "${options[@]}" 3>"$ready" >"$log" 2>&1 </dev/null &
  pid=$!
  SECONDS=0
  until [[ -s $ready ]]; do
    kill -0 "$pid" 2>/dev/null || fail_with_log "The server has ended."
    if ((SECONDS >= timeout_s)); then
      kill -KILL "$pid"
      fail_with_log "The server was not ready within $timeout_s s."
    fi
    sleep 0.05
  done
  [[ $(<"$ready") =~ \"endpoint\":\"([^\"]+)\",\"port\":([0-9]+) ]] || fail "The server says \"$(<"$ready")\"."
  endpoint=${BASH_REMATCH[1]} port=${BASH_REMATCH[2]}
}

write_environment() {
  echo "AWS_ENDPOINT_URL_DYNAMODB=$endpoint"
  echo "AWS_ENDPOINT_URL_DYNAMODB_STREAMS=$endpoint"
  echo "HASHRANGE_ENDPOINT=$endpoint"
  if [[ -z ${AWS_REGION-}${AWS_DEFAULT_REGION-} ]]; then echo "AWS_REGION=us-east-1"; fi
  if [[ -z ${AWS_ACCESS_KEY_ID-}${AWS_PROFILE-} ]]; then
    echo "AWS_ACCESS_KEY_ID=local"
    echo "AWS_SECRET_ACCESS_KEY=local"
  fi
}

read_inputs
choose_archive
folder=$(mktemp -d "${RUNNER_TEMP:?}/hashrange-XXXXXX")
log=$folder/log
download SHA256SUMS
download "$archive"
check_sum
unpack
start

printf '%s\n' "endpoint=$endpoint" "port=$port" "pid=$pid" "log=$log" "binary=$program" >>"$GITHUB_OUTPUT"
dirname "$program" >>"$GITHUB_PATH"
if [[ $environment == true ]]; then write_environment >>"$GITHUB_ENV"; fi
echo "Hashrange $version serves on $endpoint"
