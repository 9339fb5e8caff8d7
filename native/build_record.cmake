# Writes OUTPUT, a C++ file that says what a module was compiled from: the SHA-256 of the native sources under ROOT by
# name and content, with CMakeLists.txt, and of FLAGS; and COMPILER. Neither paths nor times are in it, so that two
# machines that compile the same sources in the same way get the same record.
file(GLOB_RECURSE files RELATIVE ${ROOT}
  ${ROOT}/native/include/*.h ${ROOT}/native/src/*.h ${ROOT}/native/src/*.cpp ${ROOT}/native/bind/*.h
  ${ROOT}/native/bind/*.cpp ${ROOT}/CMakeLists.txt)
list(SORT files)
set(all "${FLAGS}\n")
foreach(file ${files})
  file(SHA256 ${ROOT}/${file} digest)
  string(APPEND all "${digest} ${file}\n")
endforeach()
string(SHA256 digest "${all}")
string(SUBSTRING ${digest} 0 32 digest)
file(WRITE ${OUTPUT} "namespace tunesmith::bind {

extern const char* const kBuiltFrom;
extern const char* const kCompiler;
const char* const kBuiltFrom = \"${digest}\";
const char* const kCompiler = \"${COMPILER}\";

}  // namespace tunesmith::bind
")
