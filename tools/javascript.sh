#!/bin/sh
# Installs the packages of the JavaScript bot below build/, where its test looks for them.
set -e
cd "$(dirname "$0")/.."
mkdir -p build/javascript
cp arena/cli/templates/javascript/package.json build/javascript/
npm install --prefix build/javascript --no-audit --no-fund
