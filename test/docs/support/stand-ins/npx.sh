# Stands in for npx, which starts all of npm first: runs the command that the project, or a folder above it, has installed.
# Everything else is left to npx.
folder=$PWD
while [ -n "$folder" ]; do
  if [ -x "$folder/node_modules/.bin/$1" ]; then
    PATH="$folder/node_modules/.bin:$PATH" exec "$folder/node_modules/.bin/$1" "${@:2}"
  fi
  folder=${folder%/*}
done
exec "$REAL_NPX" "$@"
