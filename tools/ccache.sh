# To be sourced at the top of a checkout: where this machine has ccache, compilers are called through
# it, and what one checkout has compiled is found by the next one, wherever that stands.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
fi
